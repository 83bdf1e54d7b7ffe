/**
 * HTML from notes and answers: what is harmless stays, and nothing that runs gets through.
 * @jest-environment jsdom
 */
import { sanitizeHTMLToDom } from "../../workbench/src/render/sanitize";

const cleaned = (html: string): string => {
  const box = document.createElement("div");
  box.append(sanitizeHTMLToDom(html));
  return box.innerHTML;
};

it.each`
  html                                                    | result                                       | because
  ${"<b>bold</b> and <em>soft</em>"}                      | ${"<b>bold</b> and <em>soft</em>"}           | ${"plain markup"}
  ${'<a href="https://x.org" class="c">x</a>'}            | ${'<a href="https://x.org" class="c">x</a>'} | ${"a link out"}
  ${'<a href="Note name">x</a>'}                          | ${'<a href="Note name">x</a>'}               | ${"a link to a note"}
  ${'<a href="javascript:alert(1)">x</a>'}                | ${"<a>x</a>"}                                | ${"an address that runs"}
  ${'<a href=" JaVaScRiPt:alert(1)">x</a>'}               | ${"<a>x</a>"}                                | ${"however it is written"}
  ${'<a href="java\nscript:alert(1)">x</a>'}              | ${"<a>x</a>"}                                | ${"a break that browsers skip"}
  ${'<a href="&#1;javascript:alert(1)">x</a>'}            | ${"<a>x</a>"}                                | ${"a control character before it"}
  ${'<a href="data:text/html,<script>1</script>">x</a>'}  | ${"<a>x</a>"}                                | ${"a page in an address"}
  ${'<img src="x.png" onerror="alert(1)">'}               | ${'<img src="x.png">'}                       | ${"handlers go"}
  ${'<img src="data:image/png;base64,AAAA">'}             | ${'<img src="data:image/png;base64,AAAA">'}  | ${"a picture in an address is a picture"}
  ${'<img src="data:image/svg+xml,<svg onload=1>">'}      | ${"<img>"}                                   | ${"one that can run is not"}
  ${"a<script>alert(1)</script>b"}                        | ${"ab"}                                      | ${"scripts go with their text"}
  ${"<style>* { display: none }</style>x"}                | ${"x"}                                       | ${"styles as well"}
  ${'<iframe src="https://x.org"></iframe>x'}             | ${"x"}                                       | ${"frames"}
  ${"<svg><script>alert(1)</script></svg>x"}              | ${"x"}                                       | ${"drawings that can run"}
  ${"<math><mi xlink:href='javascript:1'>x</mi></math>y"} | ${"y"}                                       | ${"formulas that can"}
  ${"<form action='https://x.org'><b>x</b></form>"}       | ${""}                                        | ${"nothing is sent anywhere"}
  ${"<b style='position:fixed'>x</b>"}                    | ${"<b>x</b>"}                                | ${"nothing leaves its place"}
  ${"<custom-element>x <i>y</i></custom-element>"}        | ${"x <i>y</i>"}                              | ${"an unknown element leaves its contents"}
  ${"<b>open"}                                            | ${"<b>open</b>"}                             | ${"half an element is closed"}
  ${"1 < 2 & 3"}                                          | ${"1 &lt; 2 &amp; 3"}                        | ${"signs are signs"}
`("$html → $result: $because", ({ html, result }: { html: string; result: string }) => {
  expect(cleaned(html)).toBe(result);
});
