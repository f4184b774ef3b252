(function () {
  "use strict";
  var timeline = document.getElementById("timeline");
  var source = document.getElementById("tracks");
  if (!timeline || !source) { return; }
  var tracks = JSON.parse(source.textContent);
  var low = Number(timeline.dataset.low);
  var high = Number(timeline.dataset.high);
  var cursor = timeline.querySelector(".cursor");
  var now = timeline.querySelector(".now");
  var fields = timeline.querySelectorAll("[data-track]");
  var current = low;

  function digits(value) {
    if (value === 0) { return "0"; }
    var size = Math.floor(Math.log10(Math.abs(value))) + 1;
    return value.toFixed(Math.min(4, Math.max(0, 3 - size)));
  }
  function text(kind, value) {
    if (value === null) { return "no value"; }
    if (kind === "LATENCY") { return value < 1 ? digits(value * 1000) + " ms" : digits(value) + " s"; }
    if (kind === "RATIO") { return digits(value * 100) + " %"; }
    if (kind === "RATE") { return digits(value); }
    return String(Math.round(value * 100) / 100);
  }
  function nearest(times, at) {
    var first = 0, last = times.length - 1;
    while (last - first > 1) {
      var middle = (first + last) >> 1;
      if (times[middle] <= at) { first = middle; } else { last = middle; }
    }
    return last >= 0 && Math.abs(times[last] - at) < Math.abs(times[first] - at) ? last : first;
  }
  function show(at) {
    current = Math.min(high, Math.max(low, at));
    var frame = timeline.getBoundingClientRect();
    var plot = timeline.querySelector(".plot").getBoundingClientRect();
    var share = (current - low) / (high - low);
    cursor.style.left = (plot.left - frame.left + share * plot.width) + "px";
    now.style.left = (share * 100) + "%";
    now.textContent = current.toFixed(1) + " s";
    fields.forEach(function (field) {
      var track = tracks[Number(field.dataset.track)];
      var index = nearest(track.x, current);
      field.textContent = track.x.length ? text(field.dataset.kind, track.y[index]) : "";
    });
    timeline.classList.add("reading");
  }
  function hide() {
    timeline.classList.remove("reading");
    fields.forEach(function (field) { field.textContent = ""; });
  }
  timeline.addEventListener("pointermove", function (event) {
    var plot = timeline.querySelector(".plot").getBoundingClientRect();
    show(low + (event.clientX - plot.left) / plot.width * (high - low));
  });
  timeline.addEventListener("pointerleave", hide);
  timeline.addEventListener("blur", hide);
  timeline.addEventListener("keydown", function (event) {
    var step = (high - low) / (event.shiftKey ? 10 : 100);
    if (event.key === "ArrowRight") { show(current + step); event.preventDefault(); }
    if (event.key === "ArrowLeft") { show(current - step); event.preventDefault(); }
    if (event.key === "Escape") { hide(); }
  });
})();
