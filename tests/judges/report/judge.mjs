// Opens a page of `toolbox report` in Chromium. In: the program of the browser, the page, the folder for pictures,
// and the first part of their names. Out: a line for each check.
// Exit code: 1 if one fails.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";

// The packages are installed in the current folder, not beside this file.
const require = createRequire(`${process.cwd()}/`);
const puppeteer = require("puppeteer-core");
const [browserPath, file, pictures, name] = process.argv.slice(2);
const url = pathToFileURL(file).href;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
let failed = 0;
function check(name, holds, found) {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds ? "" : `: ${JSON.stringify(found)}`}`);
  failed += holds ? 0 : 1;
}
for (const scheme of ["light", "dark"]) {
  const page = await browser.newPage();
  const errors = [];
  const requests = [];
  page.on("console", (message) => errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewport({ width: 1350, height: 760 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const begun = Date.now();
  await page.goto(url);
  console.log(`     ${scheme}: loaded in ${Date.now() - begun} ms`);
  check(`${scheme}: nothing in the console`, errors.length === 0, errors);
  check(`${scheme}: no request leaves the page`, requests.every((request) => request === url), requests);
  const calls = await page.evaluate(() => document.querySelectorAll("details.call").length);
  check(`${scheme}: there are calls`, calls > 0, calls);
  const selects = await page.$$eval("select", (selects) => selects.map((select) => select.name));
  check(`${scheme}: there are filters`, selects.length >= 2, selects);
  for (const [name, value] of [["verdict", "rejected"], ["code", "REQUIRED_FIELD"]].filter(([name]) => selects.includes(name))) {
    await page.select(`select[name=${name}]`, value);
    const shown = await page.evaluate(() => [...document.querySelectorAll("details.call:not([hidden])")].map((row) => ({ ...row.dataset })));
    const key = name === "code" ? (row) => row.code.split(" ").includes(value) : (row) => row.verdict === value;
    check(`${scheme}: the filter ${name} shows some calls, and only those`, shown.length > 0 && shown.length < calls && shown.every(key), shown.length);
    const status = await page.$eval("#shown", (text) => text.textContent);
    const messages = await page.evaluate(() => document.querySelectorAll(".message:not([hidden])").length);
    check(`${scheme}: the filter hides messages`, messages === 0, messages);
    check(`${scheme}: the filter says how many`, status === `${shown.length} of ${calls} calls`, status);
    await page.select(`select[name=${name}]`, "");
  }
  const last = `call-${calls}`;
  await page.goto(`${url}#${last}`);
  const row = await page.$eval(`#${last}`, (row) => [row.open, row.getBoundingClientRect().top]);
  check(`${scheme}: a deep link opens its call`, row[0] && row[1] >= -1 && row[1] < 760, row);
  // The calls of hostile texts come first.
  await page.evaluate(() => {
    [...document.querySelectorAll("details.call")].slice(0, 200).forEach((row) => (row.open = true));
    for (const element of document.querySelectorAll("details[open] *")) {
      ["mouseover", "load", "error"].forEach((kind) => element.dispatchEvent(new Event(kind)));
    }
  });
  check(`${scheme}: no script of the recording has run`, (await page.evaluate("window.hit")) === undefined, "window.hit");
  const foreign = await page.evaluate(() => document.querySelectorAll("main :is(script, img, iframe, a, object, style, math), [onload], [onerror], [onmouseover]").length);
  check(`${scheme}: no element comes from the recording`, foreign === 0, foreign);
  await page.evaluate(axe);
  // Closed calls look alike, so some of them are enough.
  const { violations } = await page.evaluate(() => {
    [...document.querySelectorAll("details.call")].slice(400).forEach((row) => row.remove());
    [...document.querySelectorAll(".message")].slice(400).forEach((message) => message.remove());
    return axe.run();
  });
  check(`${scheme}: axe finds no violation`, violations.length === 0, violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html, nodes[0].failureSummary]));
  await page.goto("about:blank");
  await page.goto(url);
  await page.evaluate(() => {
    const message = document.querySelector(".message");
    if (!message) return;
    const row = document.querySelector(".batch details[data-verdict=rejected], details[data-verdict=rejected]");
    row.open = true;
    message.scrollIntoView();
  });
  await page.screenshot({ path: `${pictures}/${name}-${scheme}.png` });
  await page.evaluate(() => document.querySelectorAll("details[open]").forEach((row) => (row.open = false)));
  await page.focus(`select[name=${selects.at(-1)}]`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  check(`${scheme}: the keyboard opens a call`, await page.$eval("details.call", (row) => row.open), "closed");
  await page.close();
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
