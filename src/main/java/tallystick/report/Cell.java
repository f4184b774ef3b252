package tallystick.report;

import java.util.function.DoubleFunction;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;

/**
 * One value of a table.
 *
 * @param text what is shown
 * @param reason why there is no value; empty where there is one
 * @param note what a page says below it in small letters; may be empty
 * @param metric name of the metric it comes from; may be empty
 * @param tone how it is judged
 */
record Cell(String text, String reason, String note, String metric, Tone tone) {

  /** A place where there is nothing to say. */
  static final Cell NONE = of("");

  static Cell of(String text) {
    return new Cell(text, "", "", "", Tone.PLAIN);
  }

  static Cell of(Mark mark) {
    return new Cell(mark.word(), "", "", "", mark.tone());
  }

  static Cell metric(String name) {
    return new Cell("", "", "", name, Tone.PLAIN);
  }

  /** A figure in these words, or that it is missing and why. */
  static Cell of(Figure figure, DoubleFunction<String> words) {
    return switch (figure) {
      case Figure.Known known -> of(words.apply(known.value()));
      case Figure.Unavailable missing -> new Cell("n/a", missing.reason(), "", "", Tone.PLAIN);
    };
  }

  static Cell count(Figure figure) {
    return of(figure, Numbers::count);
  }

  static Cell number(Figure figure) {
    return of(figure, Numbers::number);
  }

  static Cell percent(Figure figure) {
    return of(figure, Numbers::percent);
  }

  static Cell latency(Figure figure) {
    return of(figure, seconds -> LatencyUnit.fitting(seconds).text(seconds));
  }

  /** A latency with its interval, both in the unit of the estimate. */
  static Cell latency(Interval interval) {
    return of(interval.value(), seconds -> IntervalText.latency(interval));
  }

  Cell noted(String words) {
    return new Cell(text, reason, words, metric, tone);
  }

  Cell from(String metricName) {
    return new Cell(text, reason, note, metricName, tone);
  }

  boolean isMissing() {
    return !reason.isEmpty();
  }

  /** What a plain text shows: the words, or the metric where there are none. */
  String words() {
    return text.isEmpty() ? metric : text;
  }

  /** The value, or {@code n/a (why)}. */
  String full() {
    return isMissing() ? "n/a (" + reason + ")" : words();
  }
}
