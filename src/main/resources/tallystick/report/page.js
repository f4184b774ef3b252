// Pictures and values to take along; asks nothing of the network.
var tallySave = (function () {
  "use strict";
  var KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight",
    "font-family", "text-anchor", "dominant-baseline", "vector-effect", "stroke-linecap"];
  function file(name, kind, content) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type: kind }));
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  }
  // After the page and what is drawn, so that two charts of a page are two files.
  function name(end) {
    var figure = save.place && save.place.closest("figure"), section = save.place && save.place.closest("section");
    var drawn = figure && figure.querySelector("svg[aria-label]");
    var head = figure && figure.querySelector("figcaption") || section && section.querySelector("h2, h3");
    var what = drawn ? drawn.getAttribute("aria-label") : head ? head.textContent : "";
    function slug(text, most) { return text.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, most).replace(/^-+|-+$/g, ""); }
    return [slug(document.title, 60), slug(what, 40)].filter(Boolean).join("-") + end;
  }
  // A copy that looks the same in a file of its own, where the page's style does not reach.
  function copy(svg) {
    var twin = svg.cloneNode(true);
    var from = svg.querySelectorAll("*"), to = twin.querySelectorAll("*");
    from.forEach(function (one, i) {
      var style = getComputedStyle(one);
      KEPT.forEach(function (key) { to[i].style.setProperty(key, style.getPropertyValue(key)); });
      if (style.display === "none") { to[i].style.display = "none"; }
    });
    return twin;
  }
  function element(name, attributes, text) {
    var made = document.createElementNS(document.querySelector("svg").namespaceURI, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text) { made.textContent = text; }
    return made;
  }
  function sized(svg, width, height) {
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.insertBefore(element("rect", { width: "100%", height: "100%",
      fill: getComputedStyle(document.body).backgroundColor }), svg.firstChild);
    return new XMLSerializer().serializeToString(svg);
  }
  // Of a drawing with its size: as it is, and in points, two for each of its units.
  function picture(drawn) {
    save.file(name(".svg"), "image/svg+xml", sized(drawn.svg, drawn.width, drawn.height));
  }
  function points(drawn) {
    var image = new Image(), sheet = document.createElement("canvas");
    sheet.width = 2 * drawn.width;
    sheet.height = 2 * drawn.height;
    image.onload = function () {
      sheet.getContext("2d").drawImage(image, 0, 0, sheet.width, sheet.height);
      sheet.toBlob(function (blob) { save.file(name(".png"), "image/png", blob); });
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(sized(drawn.svg, drawn.width, drawn.height));
  }
  function table(lines) { save.file(name(".csv"), "text/csv", lines.join("\n") + "\n"); }
  function clip(lines, button) {
    navigator.clipboard.writeText(lines.join("\n") + "\n").then(
      function () { button.textContent = "Copied"; }, function () { button.textContent = "Not allowed here"; });
  }
  function button(text, what) {
    var made = document.createElement("button");
    made.type = "button";
    made.className = "save";
    made.textContent = text;
    made.addEventListener("click", function () { save.place = made; what(); });
    return made;
  }
  // The name of a series in a legend becomes a button that leaves it out.
  function toggle(label, leave) {
    var legend = button("", function () {
      var isOff = label.classList.toggle("off");
      legend.setAttribute("aria-pressed", String(!isOff));
      leave(isOff);
    });
    legend.className = "toggle";
    legend.setAttribute("aria-pressed", "true");
    legend.append.apply(legend, Array.from(label.childNodes));
    label.append(legend);
  }
  function cell(text) { return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; }
  function pictures(drawn) {
    return [button("Save SVG", function () { picture(drawn()); }), button("PNG", function () { points(drawn()); })];
  }
  function values(lines) {
    var copied = button("Copy values", function () { clip(lines(), copied); });
    return [button("CSV", function () { table(lines()); })].concat(navigator.clipboard ? [copied] : []);
  }
  var save = { file: file, copy: copy, element: element, picture: picture, points: points, table: table, clip: clip,
    button: button, toggle: toggle, cell: cell };
  document.querySelectorAll("svg[role=img][viewBox]:not(.plot):not(.curve):not(.strip)").forEach(function (svg) {
    svg.after.apply(svg, pictures(function () {
      return { svg: copy(svg), width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
    }));
  });
  // A distribution's labels stand beside its drawing.
  document.querySelectorAll("figure.cdf").forEach(function (figure) {
    var LEFT = 80, TOP = 30, WIDE = 900, HIGH = 250, key = figure.querySelector(".key");
    key.append.apply(key, pictures(function () {
      var sheet = element("svg", { viewBox: "0 0 1000 320" }), plot = copy(figure.querySelector("svg"));
      function write(x, y, text, anchor) {
        sheet.append(element("text", { x: x, y: y, fill: getComputedStyle(document.body).color, "font-size": 12,
          "font-family": "sans-serif", "text-anchor": anchor }, text));
      }
      write(LEFT, 16, document.querySelector("h1").textContent + " \u00b7 " + figure.querySelector("figcaption").textContent, "start");
      Object.entries({ x: LEFT, y: TOP, width: WIDE, height: HIGH }).forEach(function (pair) { plot.setAttribute(pair[0], pair[1]); });
      sheet.append(plot);
      figure.querySelectorAll(".y span").forEach(function (label) {
        write(LEFT - 6, TOP + HIGH * parseFloat(label.style.top) / 100 + 4, label.textContent, "end");
      });
      figure.querySelectorAll(".below span").forEach(function (label) {
        write(LEFT + WIDE * parseFloat(label.style.left) / 100, TOP + HIGH + 20, label.textContent, "middle");
      });
      return { svg: sheet, width: 1000, height: 320 };
    }));
  });
  document.querySelectorAll(".plotted").forEach(function (figure) {
    var all = Array.from(figure.querySelectorAll("g.series")), saves = figure.querySelectorAll(".save");
    figure.querySelectorAll(".legend li").forEach(function (label) {
      toggle(label, function (isOff) { all[Number(label.dataset.series)].classList.toggle("off", isOff); });
    });
    saves[1].after.apply(saves[1], values(function () {
      var lines = [["series", figure.dataset.across, figure.dataset.up].map(cell).join()];
      all.forEach(function (series) {
        series.dataset.values.split(" ").forEach(function (pair) { lines.push(cell(series.dataset.name) + "," + pair); });
      });
      return lines;
    }));
  });
  document.querySelectorAll("svg.tiles").forEach(function (map) {
    var saves = map.parentNode.querySelectorAll(".save");
    saves[1].after.apply(saves[1], values(function () {
      return [map.dataset.heads + ",figure,interval,verdict"].concat(Array.from(map.querySelectorAll("g")).map(function (tile) {
        return [tile.dataset.at].concat(Array.from(tile.querySelectorAll("text")).map(function (one) { return cell(one.textContent); })).join();
      }));
    }));
  });
  // On paper nothing can be unfolded.
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (one) { one.open = true; });
  });
  return save;
})();

// The list of runs: by any column, only some, two side by side.
(function () {
  "use strict";
  var table = document.querySelector("table.runs");
  if (!table) { return; }
  var body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
  var all = Array.from(table.querySelectorAll("tbody tr"));
  var rows = all.filter(function (row) { return row.className !== "group"; });
  var tops = rows.filter(function (row) { return row.className !== "part"; });
  var below = new Map(), last = null;
  rows.forEach(function (row) {
    if (row.className === "part") { below.get(last).push(row); } else { last = row; below.set(row, []); }
  });
  function partsOf(top) { return below.get(top); }
  function found(row, words) {
    var text = row.textContent.toLowerCase();
    return words.every(function (word) { return text.includes(word); });
  }
  var UNITS = { "\u00b5s": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 };
  function value(row, column) {
    var text = row.cells[column].textContent.trim();
    if (column < 2) { return text; }
    var told = text.replace(/,/g, "").match(/^~?([0-9.]+)\s*(\S*)/);
    return told ? Number(told[1]) * (UNITS[told[2]] || 1) : Infinity;
  }
  heads.forEach(function (head, column) {
    var sort = tallySave.button("\u2195", function () {
      var down = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(function (one) { one.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down > 0 ? "ascending" : "descending");
      // Sorted by a column, runs of all groups stand in one line.
      all.filter(function (row) { return row.className === "group"; }).forEach(function (row) { row.remove(); });
      tops.sort(function (one, other) {
        var a = value(one, column), b = value(other, column);
        return a === b ? 0 : (a < b ? -down : down);
      });
      tops.forEach(function (row) { body.append(row); partsOf(row).forEach(function (part) { body.append(part); }); });
    });
    sort.setAttribute("aria-label", "Sort by " + head.textContent);
    head.appendChild(document.createTextNode(" "));
    head.appendChild(sort);
  });
  var bar = document.createElement("p");
  bar.className = "tools";
  var find = document.createElement("input");
  find.type = "search";
  find.placeholder = "Find a run";
  find.setAttribute("aria-label", "Find a run");
  var said = document.createElement("code");
  bar.append(find, " ", said);
  table.closest(".scroll").before(bar);
  find.addEventListener("input", function () {
    var words = find.value.toLowerCase().split(/\s+/);
    tops.forEach(function (top) {
      var own = found(top, words), parts = partsOf(top);
      parts.forEach(function (part) {
        part.hidden = !own && !found(part, words);
        if (!own) { part.classList.remove("folded"); }
      });
      top.hidden = !own && parts.every(function (part) { return part.hidden; });
    });
    table.querySelectorAll(".group").forEach(function (head) {
      head.hidden = rows.every(function (row) { return row.hidden || row.parentNode !== head.parentNode; });
    });
  });
  tops.forEach(function (top) {
    var parts = partsOf(top);
    if (!parts.length) { return; }
    function show(isShown) {
      parts.forEach(function (part) { part.classList.toggle("folded", !isShown); });
      fold.setAttribute("aria-expanded", isShown);
      fold.textContent = (isShown ? "\u25be " : "\u25b8 ") + parts.length + (parts.length === 1 ? " run" : " runs");
    }
    var fold = tallySave.button("", function () { show(fold.getAttribute("aria-expanded") !== "true"); });
    top.cells[0].append(document.createElement("br"), fold);
    show(false);
  });
  var ticked = [];
  // Where the page lies is known of a file only; a server shows the folder that it serves.
  var folder = location.protocol === "file:"
    ? decodeURIComponent(location.pathname).replace(/[^\/]*$/, "") : "reports/";
  function quoted(path) { return /^[A-Za-z0-9._\/-]+$/.test(path) ? path : "'" + path.replace(/'/g, "'\\''") + "'"; }
  rows.forEach(function (row) {
    var link = row.querySelector("a[href]"), box = document.createElement("input");
    if (!/\/report\.html$/.test(link.getAttribute("href"))) { return; } // an experiment is no run
    box.type = "checkbox";
    box.setAttribute("aria-label", "Compare " + row.cells[0].textContent);
    box.addEventListener("change", function () {
      var run = decodeURIComponent(link.getAttribute("href")).replace(/^\.\//, "").replace(/\/[^\/]*$/, "");
      ticked = ticked.filter(function (one) { return one !== run; });
      if (box.checked) { ticked.push(run); }
      said.textContent = ticked.length === 2
        ? "tally compare " + ticked.map(function (one) { return quoted(folder + one); }).join(" ")
        : ticked.length === 1 ? "Tick one more to compare." : ticked.length > 2 ? "Two can be compared." : "";
    });
    row.cells[0].prepend(box, " ");
  });
})();

(function () {
  "use strict";
  var WIDTH = 1000, HEIGHT = 100;
  var timeline = document.getElementById("timeline");
  var source = document.getElementById("tracks");
  var tools = document.getElementById("tools");
  if (!timeline || !source) { return; }
  var tracks = JSON.parse(source.textContent);
  var whole = { low: Number(timeline.dataset.low), high: Number(timeline.dataset.high) };
  var view = whole;
  var choice = "usual";
  var at = null;
  var cursor = timeline.querySelector(".cursor");
  var chosen = timeline.querySelector(".chosen");
  var axis = timeline.querySelector(".x");
  var now = timeline.querySelector(".now");
  var fields = Array.from(timeline.querySelectorAll("[data-tracks]:not(.each)"));
  var panels = Array.from(timeline.querySelectorAll(".panel"));
  var first = timeline.querySelector(".plot");

  // Numbers in words.
  function digits(value) {
    if (value === 0) { return "0"; }
    var size = Math.floor(Math.log10(Math.abs(value))) + 1;
    return value.toFixed(Math.min(4, Math.max(0, 3 - size)));
  }
  function text(kind, value) {
    if (kind === "LATENCY") { return value < 1 ? digits(value * 1000) + " ms" : digits(value) + " s"; }
    if (kind === "RATIO") { return digits(value * 100) + " %"; }
    if (kind === "RATE") { return digits(value); }
    return String(Math.round(value * 100) / 100);
  }
  function tick(kind, value) {
    return text(kind, value).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
  }

  // Places.
  function place(seconds) { return (seconds - view.low) / (view.high - view.low); }
  function moment(clientX) {
    var plot = first.getBoundingClientRect();
    var share = (clientX - plot.left) / plot.width;
    return view.low + Math.min(1, Math.max(0, share)) * (view.high - view.low);
  }
  function after(times, seconds) {
    var low = 0, high = times.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (times[middle] < seconds) { low = middle + 1; } else { high = middle; }
    }
    return low;
  }
  function nearest(times, seconds) {
    var next = after(times, seconds);
    return next > 0 && (next === times.length || seconds - times[next - 1] <= times[next] - seconds)
      ? next - 1 : next;
  }
  // The time that a value stands for: a growth since the value before it, any other nearest to it.
  function half(times, i) {
    var place = Math.min(i, times.length - 1);
    return place < 1 ? 0.25 : (times[place] - times[place - 1]) / 2;
  }
  function starts(track, i, grows) {
    var before = i - 1;
    while (grows && before >= 0 && track.y[before] === null) { before--; }
    if (grows && before < 0) { return i > 0 ? track.x[i - 1] : track.x[0] - 2 * half(track.x, 1); }
    return grows ? track.x[before] : track.x[i] - half(track.x, i > 0 ? i : 1);
  }
  function ends(track, i, grows) { return grows ? track.x[i] : track.x[i] + half(track.x, i + 1); }
  function standing(track, seconds, grows) {
    var i = grows ? after(track.x, seconds) : nearest(track.x, seconds);
    while (grows && i < track.x.length && track.y[i] === null) { i++; }
    var known = i < track.x.length && track.y[i] !== null;
    return known && starts(track, i, grows) <= seconds && seconds <= ends(track, i, grows) ? track.y[i] : null;
  }
  function roundSteps(low, high, most) {
    var least = (high - low) / most;
    var decade = Math.pow(10, Math.floor(Math.log10(least)));
    var step = [1, 2, 2.5, 5, 10].find(function (s) { return s * decade >= least * 0.999999; }) * decade;
    var found = [];
    for (var i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-6; i++) {
      found.push(Number((i * step).toPrecision(12)));
    }
    return { step: step, ticks: found };
  }

  // The scale of one panel for what is in view.
  function numbersOf(panel) {
    var seen = new Set();
    panel.querySelectorAll("path[data-track]:not(.off)").forEach(function (path) { seen.add(Number(path.dataset.track)); });
    return Array.from(seen);
  }
  function valuesInView(panel) {
    var found = [];
    numbersOf(panel).forEach(function (number) {
      var track = tracks[number];
      var from = Math.max(0, after(track.x, view.low) - 1);
      for (var i = from; i < track.x.length && (i === from || track.x[i - 1] < view.high); i++) {
        if (track.y[i] !== null) { found.push(track.y[i]); }
      }
    });
    return found.sort(function (a, b) { return a - b; });
  }
  function logScale(low, high) {
    low = Math.pow(10, Math.floor(Math.log10(low) + 1e-9));
    high = Math.pow(10, Math.ceil(Math.log10(high) - 1e-9));
    high = high > low ? high : low * 10;
    var ticks = [];
    var every = Math.ceil(Math.log10(high / low) / 4);
    for (var decade = low; decade <= high * 1.001; decade *= Math.pow(10, every)) {
      ticks.push(Number(decade.toPrecision(6)));
    }
    return { low: low, high: high, log: true, ticks: ticks, how: ", log scale" };
  }
  function scaleOf(panel) {
    var kind = panel.dataset.kind;
    var isWhole = view === whole && !panel.querySelector("path.off");
    if ((isWhole && choice === "usual") || kind === "MARKS") { return panel.usual; }
    var values = valuesInView(panel);
    var largest = values.length ? values[values.length - 1] : 1;
    var smallest = values.find(function (value) { return value > 0; });
    var isLatency = kind === "LATENCY";
    var isWide = isLatency && smallest > 0 && largest / smallest >= 20;
    if (smallest > 0 && kind !== "RATIO" && (choice === "log" || (choice === "usual" && isWide))) {
      return logScale(Math.max(smallest, isLatency ? Math.min(0.001, largest / 20) : 0), largest);
    }
    if (kind === "RATIO" && choice !== "clip") { return panel.usual; }
    var how = "";
    if (choice === "clip" && values.length) {
      var usual = values[Math.min(values.length - 1, Math.floor(values.length * 0.95))];
      if (usual > 0 && usual * 1.5 < largest) {
        how = ", cut: the largest is " + text(kind, largest);
        largest = usual * 1.2;
      }
    }
    var steps = roundSteps(0, largest > 0 ? largest : 1, 3);
    var high = Math.ceil((largest > 0 ? largest : 1) / steps.step - 1e-9) * steps.step;
    return { low: 0, high: high, log: false, ticks: roundSteps(0, high, 3).ticks, how: how };
  }
  function height(scale, value) {
    var share = scale.log
      ? Math.log(Math.max(value, 1e-300) / scale.low) / Math.log(scale.high / scale.low)
      : (value - scale.low) / (scale.high - scale.low);
    return ((1 - Math.min(1.02, Math.max(0, share))) * HEIGHT).toFixed(2);
  }

  // Drawing anew from the values.
  function drawn(kind, track, scale, grows) {
    var out = [], bottom = height(scale, scale.low), last = "";
    var from = Math.max(0, after(track.x, view.low) - 1);
    var to = Math.min(track.x.length, after(track.x, view.high) + 1);
    while (grows && to < track.x.length && track.y[to - 1] === null) { to++; }
    function x(seconds) { return (place(seconds) * WIDTH).toFixed(2); }
    for (var i = from; i < to; i++) {
      var value = track.y[i];
      if (value === null) { continue; }
      if (kind === "ticks") {
        if (value > 0) { out.push("M" + x(track.x[i]) + " 0V" + HEIGHT); }
        continue;
      }
      if (kind === "dots") {
        out.push("M" + x(track.x[i]) + " " + height(scale, value) + "h0");
        continue;
      }
      if (kind === "bars" && value <= 0) { continue; }
      var start = x(starts(track, i, grows)), up = height(scale, value);
      var joined = kind !== "bars" && start === last;
      if (kind !== "line" && !joined && last) { out.push("V" + bottom + "Z"); }
      out.push(joined ? "V" + up : "M" + start + " " + (kind === "line" ? "" : bottom + "V") + up);
      last = x(ends(track, i, grows));
      out.push("H" + last);
    }
    if (kind !== "line" && last) { out.push("V" + bottom + "Z"); }
    return out.join("");
  }
  function redraw(panel, timeTicks) {
    var scale = scaleOf(panel), kind = panel.dataset.kind;
    panel.querySelectorAll("path[data-track]").forEach(function (path) {
      path.setAttribute("d", drawn(path.classList[0], tracks[Number(path.dataset.track)], scale, "growth" in panel.dataset));
    });
    panel.querySelectorAll(".limit[data-limit]").forEach(function (path) {
      var value = Number(path.dataset.limit);
      path.setAttribute("d", value > scale.high || value < scale.low ? "" : "M0 " + height(scale, value) + "H" + WIDTH);
    });
    panel.querySelectorAll(".boundary").forEach(function (path) {
      path.setAttribute("d", "M" + (place(Number(path.dataset.at)) * WIDTH).toFixed(2) + " 0V" + HEIGHT);
    });
    panel.querySelector(".grid").setAttribute("d",
      scale.ticks.map(function (value) { return "M0 " + height(scale, value) + "H" + WIDTH; }).join("")
      + timeTicks.map(function (value) { return "M" + (place(value) * WIDTH).toFixed(2) + " 0V" + HEIGHT; }).join(""));
    var labels = panel.querySelector(".y");
    labels.replaceChildren.apply(labels, scale.ticks.map(function (value) {
      var label = document.createElement("span");
      label.style.top = height(scale, value) + "%";
      label.textContent = scale === panel.usual ? panel.names[scale.ticks.indexOf(value)] : tick(kind, value);
      return label;
    }));
    panel.querySelector(".how").textContent = scale.how;
  }
  function draw() {
    var steps = roundSteps(view.low, view.high, 8);
    panels.forEach(function (panel) { redraw(panel, steps.ticks); });
    axis.querySelectorAll(".tick").forEach(function (label) { label.remove(); });
    steps.ticks.forEach(function (value) {
      var label = document.createElement("span");
      label.className = "tick";
      label.style.left = (place(value) * 100) + "%";
      label.textContent = String(value) + " s";
      axis.insertBefore(label, now);
    });
    timeline.querySelectorAll(".phases span").forEach(function (span) {
      var share = place(Number(span.dataset.at));
      span.style.left = (share * 100) + "%";
      span.hidden = share < 0 || share > 1;
    });
    timeline.classList.toggle("zoomed", view !== whole);
    tools.querySelector("[data-do=all]").disabled = view === whole;
    tools.querySelector("[data-do=out]").disabled = view === whole;
    if (at !== null) { show(at); }
  }
  function zoom(low, high) {
    var span = whole.high - whole.low;
    if (high - low < span / 5000) { return; }
    low = Math.max(whole.low, low);
    high = Math.min(whole.high, high);
    view = high - low > span * 0.999 ? whole : { low: low, high: high };
    draw();
  }
  function zoomBy(factor) {
    var span = (view.high - view.low) * factor;
    var share = at === null ? 0.5 : place(at);
    var middle = at === null ? (view.low + view.high) / 2 : at;
    var low = Math.max(whole.low, Math.min(whole.high - span, middle - share * span));
    zoom(low, low + span);
  }
  function move(seconds) {
    var shift = seconds < view.low ? seconds - view.low : seconds > view.high ? seconds - view.high : 0;
    shift = Math.max(whole.low - view.low, Math.min(whole.high - view.high, shift));
    if (shift !== 0) { zoom(view.low + shift, view.high + shift); }
    show(seconds);
  }

  // Reading one moment.
  function reading(kind, numbers, grows) {
    var lowest = null, highest = null;
    numbers.forEach(function (number) {
      var track = tracks[number];
      var value = standing(track, at, grows);
      if (value === null) { return; }
      if (lowest === null || value < lowest) { lowest = value; }
      if (highest === null || value > highest.value) { highest = { value: value, owner: track.owner }; }
    });
    if (highest === null) { return "no value"; }
    if (numbers.length === 1) { return text(kind, highest.value); }
    return text(kind, lowest) + " … " + text(kind, highest.value) + " (" + highest.owner + ")";
  }
  function show(seconds) {
    at = Math.min(view.high, Math.max(view.low, seconds));
    var frame = timeline.getBoundingClientRect();
    var plot = first.getBoundingClientRect();
    cursor.style.left = (plot.left - frame.left + place(at) * plot.width) + "px";
    now.style.left = (place(at) * 100) + "%";
    now.textContent = at.toFixed(view.high - view.low < 20 ? 2 : 1) + " s";
    fields.forEach(function (field) {
      var panel = field.closest(".panel").dataset;
      field.textContent = panel.kind === "MARKS" ? ""
        : reading(panel.kind, field.dataset.tracks.split(" ").map(Number), "growth" in panel);
    });
    timeline.classList.add("reading");
  }
  function hide() {
    at = null;
    timeline.classList.remove("reading");
    fields.forEach(function (field) { field.textContent = ""; });
  }

  // What the legend names can be left out; the scale follows what is left.
  timeline.querySelectorAll(".labels li:not(.limit)").forEach(function (label) {
    var numbers = label.querySelector("b").dataset.tracks.split(" ");
    var panel = label.closest(".panel");
    tallySave.toggle(label, function (isOff) {
      numbers.forEach(function (number) {
        panel.querySelectorAll("path[data-track='" + number + "']").forEach(function (path) { path.classList.toggle("off", isOff); });
      });
      draw();
    });
  });

  // One line for each value that is drawn: what a spreadsheet or pandas reads.
  function words(node) { return node.firstChild ? node.firstChild.textContent.trim() : ""; }
  function csv() {
    var lines = ["chart,series,engine,seconds,value"];
    panels.forEach(function (panel) {
      panel.querySelectorAll(".labels [data-tracks]").forEach(function (field) {
        var series = field.parentNode.textContent.replace(field.textContent, "").trim();
        field.dataset.tracks.split(" ").forEach(function (number) {
          var track = tracks[Number(number)];
          track.x.forEach(function (seconds, i) {
            if (track.y[i] === null || seconds < view.low || seconds > view.high) { return; }
            lines.push([tallySave.cell(words(panel.querySelector("figcaption"))), tallySave.cell(series), tallySave.cell(track.owner), seconds, track.y[i]].join());
          });
        });
      });
    });
    return lines;
  }
  function wholePicture() {
    var ROW = 140, LEFT = 80, HIGH = 92, ink = getComputedStyle(document.body).color;
    var sheet = tallySave.element("svg", { viewBox: "0 0 1000 " + (panels.length * ROW + 54) });
    function write(x, y, text, how) {
      sheet.append(tallySave.element("text", Object.assign({ x: x, y: y, fill: ink, "font-size": 12, "font-family": "sans-serif" }, how || {}), text));
    }
    // A picture goes where its page does not: what it is of stands in it.
    var chips = Array.from(document.querySelectorAll("header .chip")).map(function (one) { return one.textContent; });
    write(LEFT, 16, [document.querySelector("h1").textContent].concat(chips).join(" \u00b7 "), { "font-size": 14 });
    panels.forEach(function (panel, i) {
      var top = i * ROW + 52, at = 480;
      write(LEFT, top - 10, panel.querySelector("figcaption").textContent, { "font-weight": "bold" });
      panel.querySelectorAll(".labels li:not(.off)").forEach(function (label) {
        var mark = label.querySelector("i"), text = (label.textContent || "").trim();
        write(at, top - 10, "\u2014 " + text, { fill: mark ? getComputedStyle(mark).borderTopColor : ink });
        at += 24 + 7 * text.length;
      });
      var plot = tallySave.copy(panel.querySelector(".plot"));
      Object.entries({ x: LEFT, y: top, width: 900, height: HIGH, overflow: "hidden" }).forEach(function (pair) { plot.setAttribute(pair[0], pair[1]); });
      sheet.append(plot);
      panel.querySelectorAll(".y span").forEach(function (label) {
        write(LEFT - 6, top + HIGH * parseFloat(label.style.top) / 100 + 4, label.textContent, { "text-anchor": "end" });
      });
    });
    axis.querySelectorAll(".tick").forEach(function (label) {
      write(LEFT + 900 * parseFloat(label.style.left) / 100, panels.length * ROW + 34, label.textContent, { "text-anchor": "middle" });
    });
    return { svg: sheet, width: 1000, height: panels.length * ROW + 54 };
  }

  panels.forEach(function (panel) {
    var labels = Array.from(panel.querySelectorAll(".y span"));
    var low = Number(panel.dataset.low), high = Number(panel.dataset.high), log = "log" in panel.dataset;
    panel.names = labels.map(function (label) { return label.textContent; });
    panel.usual = { low: low, high: high, log: log, how: panel.querySelector(".how").textContent };
    panel.usual.ticks = labels.map(function (label) {
      var share = 1 - parseFloat(label.style.top) / 100;
      return log ? low * Math.pow(high / low, share) : low + share * (high - low);
    });
  });
  tools.hidden = false;
  document.querySelector(".origin .keys").hidden = false;
  tools.querySelector("[data-do=copy]").hidden = !navigator.clipboard;
  tools.querySelectorAll("button").forEach(function (button) {
    button.addEventListener("click", function () {
      if (button.dataset.do === "in") { zoomBy(0.5); }
      if (button.dataset.do === "out") { zoomBy(2); }
      if (button.dataset.do === "all") { zoom(whole.low, whole.high); }
      tallySave.place = button;
      if (button.dataset.do === "csv") { tallySave.table(csv()); }
      if (button.dataset.do === "copy") { tallySave.clip(csv(), button); }
      if (button.dataset.do === "svg") { tallySave.picture(wholePicture()); }
      if (button.dataset.do === "png") { tallySave.points(wholePicture()); }
    });
  });
  document.getElementById("scale").addEventListener("change", function (event) {
    choice = event.target.value;
    draw();
  });
  var begin = null;
  timeline.addEventListener("pointerdown", function (event) {
    if (event.button === 0 && event.target.closest(".plot")) {
      begin = event.clientX;
      timeline.setPointerCapture(event.pointerId);
    }
  });
  timeline.addEventListener("pointermove", function (event) {
    show(moment(event.clientX));
    if (begin !== null) {
      var frame = timeline.getBoundingClientRect();
      chosen.style.left = (Math.min(begin, event.clientX) - frame.left) + "px";
      chosen.style.width = Math.abs(event.clientX - begin) + "px";
      timeline.classList.add("choosing");
    }
  });
  function release(event) {
    if (begin !== null && event.type === "pointerup" && Math.abs(event.clientX - begin) > 4) {
      var one = moment(begin), other = moment(event.clientX);
      zoom(Math.min(one, other), Math.max(one, other));
    }
    begin = null;
    timeline.classList.remove("choosing");
  }
  timeline.addEventListener("pointerup", release);
  timeline.addEventListener("pointercancel", release);
  timeline.addEventListener("dblclick", function () { zoom(whole.low, whole.high); });
  timeline.addEventListener("pointerleave", hide);
  timeline.addEventListener("blur", hide);
  timeline.addEventListener("keydown", function (event) {
    var step = (view.high - view.low) / (event.shiftKey ? 10 : 100);
    var from = at === null ? view.low : at;
    var keys = {
      ArrowRight: function () { move(from + step); },
      ArrowLeft: function () { move(from - step); },
      "+": function () { zoomBy(0.5); },
      "=": function () { zoomBy(0.5); },
      "-": function () { zoomBy(2); },
      "0": function () { zoom(whole.low, whole.high); },
      Escape: function () { if (view !== whole) { zoom(whole.low, whole.high); } hide(); }
    };
    if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      keys[event.key]();
      event.preventDefault();
    }
  });
})();
