/** The last item that fits, without copying the list. */
export function lastWhere<T>(items: readonly T[], fits: (item: T) => boolean): T | undefined {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item !== undefined && fits(item)) return item;
  }
  return undefined;
}
