/** What the plugin believes to run on: `?mobile=phone` or `?mobile=tablet` in the address, a desktop otherwise. */
const mobile = new URLSearchParams(window.location.search).get("mobile");

export const Platform = {
  isDesktop: mobile === null,
  isMobile: mobile !== null,
  isDesktopApp: mobile === null,
  isMobileApp: mobile !== null,
  isIosApp: false,
  isAndroidApp: mobile !== null,
  isPhone: mobile === "phone",
  isTablet: mobile === "tablet",
  isMacOS: false,
  isWin: false,
  isLinux: mobile === null,
  isSafari: false,
  resourcePathPrefix: new URL("/vault/", window.location.href).href,
};
