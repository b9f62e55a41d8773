"use strict";
// Inspects a report in the browser. Each function returns faults as texts.
globalThis.seen = (() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const box = (element) => element.getBoundingClientRect();
  const name = (element) => {
    if (element === document.body) return "body";
    const classes = element.getAttribute("class");
    return element.localName + (classes ? `.${classes.split(" ").join(".")}` : "");
  };
  const placed = (element) => `${element.closest("[id]")?.id ?? "page"}: ${name(element)}`;

  const figure = (figure) => {
    const wrong = [];
    const has = (selector, what) => {
      const found = figure.querySelector(selector);
      if (!found || found.textContent.trim() === "") wrong.push(`has no ${what}`);
      return found;
    };
    const title = has("h3", "title");
    if (title && figure.getAttribute("aria-labelledby") !== title.id) wrong.push("is not named by its title");
    has("figcaption", "caption");
    has("details.sql pre", "SQL");
    has(".files a[href$='.csv']", "CSV");
    if (!isShown(figure) || box(figure).height < 100) wrong.push("is not visible");
    const charts = all("svg", figure);
    const shown = charts.filter(isShown);
    const parts = all(".panel", figure).length || 1;
    const table = figure.querySelector("table");
    if (charts.length === 0 && !figure.querySelector(".nothing, .statement") && !(table && isShown(table) && table.tBodies[0].rows.length > 0)) {
      wrong.push("is empty, and does not say why");
    }
    if (charts.length > 0 && shown.length !== parts) wrong.push(`shows ${shown.length} charts instead of ${parts}`);
    if (charts.length > 0) {
      has("details.words p", "description");
      has("details.data table", "data");
    }
    for (const chart of shown) {
      const { width, height } = box(chart);
      if (width < 200 || height < 20) wrong.push(`has a chart of ${width} by ${height} px`);
      const marks = all("rect, circle, polygon, polyline", chart).filter((mark) => box(mark).width > 0 || box(mark).height > 0);
      for (const fill of new Set(marks.map((mark) => mark.getAttribute("fill") ?? "").filter((fill) => fill.startsWith("url(")))) {
        const texture = document.getElementById(fill.slice(5, -1));
        if (texture?.localName !== "pattern" || getComputedStyle(texture.closest("svg")).display === "none") wrong.push(`has parts without the texture ${fill}`);
      }
      if (marks.length === 0 || all("text", chart).length === 0) wrong.push("has an empty chart");
      const words = (chart.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
      if (chart.getAttribute("role") !== "img" || words.length !== 2 || words.some((text) => text.trim() === "")) {
        wrong.push("has a chart without a name and a description");
      }
    }
    return wrong.map((what) => `${figure.id} ${what}`);
  };

  const rgb = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return numbers.length === 4 && numbers[3] === 0 ? null : numbers.slice(0, 3);
  };
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };

  const ofChart = (chart) => {
    const wrong = [];
    const edge = box(chart);
    const texts = all("text", chart).map((text) => ({ text, words: text.textContent.trim(), box: box(text) }));
    const fields = all("rect", chart).map((rect) => ({ rect, box: box(rect) }));
    const paper = rgb(getComputedStyle(document.body).backgroundColor);
    for (const { text, words, box: at } of texts) {
      if (at.left < edge.left - 1 || at.right > edge.right + 1 || at.top < edge.top - 1 || at.bottom > edge.bottom + 1) {
        wrong.push(`the label ${words} is cut off`);
      }
      const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
      const behind = fields.filter(({ rect, box: it }) =>
        rect.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && it.left <= x && x <= it.right && it.top <= y && y <= it.bottom);
      const under = behind.length > 0 ? rgb(getComputedStyle(behind.at(-1).rect).fill) : paper;
      const ratio = contrast(rgb(getComputedStyle(text).fill), under);
      if (ratio < 4.5) wrong.push(`the label ${words} has a contrast of ${ratio.toFixed(1)}`);
    }
    texts.forEach((one, place) => {
      for (const other of texts.slice(place + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // The box of a line of text is taller than its letters.
        if (across > 1 && down > 4) wrong.push(`the labels ${one.words} and ${other.words} overlap`);
      }
    });
    return wrong.map((what) => `${chart.closest("figure").id}: ${what}`);
  };

  const acting = "a[href], button, input, summary, [tabindex='0']";
  const value = (cell) => (cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v));
  const rowsOf = (input) => [...input.closest(".filter").nextElementSibling.querySelector("tbody").rows];

  return {
    figures: () => {
      const found = all("figure");
      return found.length === 0 ? ["there is no figure"] : found.flatMap(figure);
    },
    labels: () => all("figure svg").filter(isShown).flatMap(ofChart),
    overflow: () => {
      const wrong = [];
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) wrong.push(`the page is ${scrollWidth} px wide in a window of ${clientWidth}`);
      const isPaper = matchMedia("print").matches;
      for (const element of all("body *").filter((element) => !element.closest("svg") && isShown(element))) {
        const style = getComputedStyle(element);
        const isWider = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
        if (!isWider || style.display === "inline") continue;
        const scrolls = ["auto", "scroll"].includes(style.overflowX) && !isPaper;
        if (scrolls && element.tabIndex < 0) wrong.push(`${placed(element)} scrolls and cannot be reached by keyboard`);
        const hint = element.parentElement.querySelector(".sideways");
        if (scrolls && element.className === "scroll" && !(hint && isShown(hint))) wrong.push(`${placed(element)} scrolls sideways without a word`);
        if (!scrolls && style.overflowX !== "visible") wrong.push(`${placed(element)} is cut off`);
      }
      return wrong;
    },
    // Each label of a host is a text of its own. Browsers break words after hyphens.
    hosts: () => all("td.host").filter(isShown).flatMap((cell) => [...cell.childNodes].flatMap((label) =>
      [...label.textContent.matchAll(/[^-]+-*/g)].filter((word) => {
        const text = document.createRange();
        text.setStart(label, word.index);
        text.setEnd(label, word.index + word[0].length);
        return new Set([...text.getClientRects()].map((line) => line.top)).size > 1;
      }).map((word) => `${placed(cell)}: ${word[0]} is broken`))),
    focused: () => name(document.activeElement),
    focusable: () => all(acting).filter((element) => isShown(element) && element.tabIndex >= 0).length,
    focus: () => {
      const element = document.activeElement;
      const { width, height, left, right } = box(element);
      const style = getComputedStyle(element);
      if (!isShown(element) || width < 2 || height < 2 || right <= 0 || left >= innerWidth) return `${placed(element)} has the focus and is not visible`;
      if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return `${placed(element)} does not show that it has the focus`;
      return null;
    },
    sorted: (header, direction) => {
      const announced = header.getAttribute("aria-sort");
      if (announced !== direction) return `aria-sort is ${announced} instead of ${direction}`;
      const table = header.closest("table");
      if (all("[aria-sort]", table).length !== 1) return "it is sorted by more than one column";
      const values = [...table.tBodies[0].rows].map((row) => value(row.cells[header.cellIndex]));
      const numbers = values.filter((one) => typeof one === "number");
      const sign = direction === "ascending" ? 1 : -1;
      const isWrong = (one, next) => (typeof one === "number" ? sign * (one - next) > 0 : sign * one.localeCompare(next, "en") > 0);
      const kind = numbers.length > 0 ? numbers : values;
      return kind.some((one, place) => place > 0 && isWrong(kind[place - 1], one)) ? `the rows are not ${direction}` : null;
    },
    word: (input) => rowsOf(input).at(-1).cells[0].textContent.slice(0, 12).toUpperCase(),
    filtered: (input) => {
      const wanted = input.value.toLowerCase();
      const wrong = rowsOf(input).some((row) => isShown(row) !== row.textContent.toLowerCase().includes(wanted));
      const announced = input.closest(".filter").querySelector("[role=status]").textContent;
      return wrong || (wanted !== "") !== (announced !== "") ? `the field does not keep the rows with ${wanted}` : null;
    },
    shorten: (most) => all("tbody").forEach((body) => [...body.rows].slice(most).forEach((row) => row.remove())),
    keepFirstFigures: () => all("section").forEach((section) => all("figure", section).slice(1).forEach((figure) => figure.remove())),
    // The text of the page, without the parts that the script adds.
    text: () => {
      all(".filter").forEach((line) => line.remove());
      all("nav details").forEach((contents) => { contents.open = true; });
      return document.body.innerText.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    },
    printed: (height) => {
      const wrong = [];
      for (const element of all("h1, h2, h3, .keys dd, .findings li, .dates dd, .lead, figcaption, .question, .nothing, .statement, #methods p, #methods li, footer p")) {
        if (!isShown(element)) wrong.push(`${placed(element)} is not printed`);
      }
      const background = rgb(getComputedStyle(document.body).backgroundColor);
      if (background && luminance(background) < 0.9) wrong.push("it is printed on a dark background");
      for (const element of all("figcaption, h3, .lead, figure svg text")) {
        if (!isShown(element)) continue;
        const style = getComputedStyle(element);
        const ink = rgb(element.localName === "text" ? style.fill : style.color);
        if (element.localName !== "text" && contrast(ink, [255, 255, 255]) < 4.5) wrong.push(`${placed(element)} is printed too pale`);
      }
      for (const chart of all("figure svg").filter(isShown)) {
        const id = chart.closest("figure").id;
        if (getComputedStyle(chart).breakInside !== "avoid") wrong.push(`${id}: a chart can be cut at the end of a page`);
        if (box(chart).height > height) wrong.push(`${id}: a chart is taller than a page`);
      }
      for (const cell of all("td").filter(isShown)) {
        const word = cell.textContent.trim();
        if (!/^\w{1,8}$/.test(word)) continue;
        const text = document.createRange();
        text.selectNodeContents(cell);
        if (new Set([...text.getClientRects()].map((line) => line.top)).size > 1) wrong.push(`${placed(cell)}: ${word} is broken`);
      }
      return wrong;
    },
  };
})();
