package tallystick.answer;

import java.util.Optional;
import java.util.function.DoubleFunction;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;

/**
 * One value of a table.
 *
 * @param text what is shown
 * @param reason why there is no value; empty where there is one
 * @param note what a page says below it in small letters; may be empty
 * @param metric name of the metric it comes from; may be empty
 * @param tone how it is judged
 * @param drawing what a page draws below it
 */
public record Cell(
    String text, String reason, String note, String metric, Tone tone,
    Optional<Drawing> drawing) {

  private Cell(String text, String reason, String note, String metric, Tone tone) {
    this(text, reason, note, metric, tone, Optional.empty());
  }

  /** What stands where no figure is. */
  private static final String DASH = "–";

  /** A place where there is nothing to say. */
  public static final Cell NONE = of("");

  public static Cell of(String text) {
    return new Cell(text, "", "", "", Tone.PLAIN);
  }

  public static Cell of(Mark mark) {
    return new Cell(mark.word(), "", "", "", mark.tone());
  }

  public static Cell metric(String name) {
    return new Cell("", "", "", name, Tone.PLAIN);
  }

  /** A figure in these words, or that it is missing and why. */
  public static Cell of(Figure figure, DoubleFunction<String> words) {
    return switch (figure) {
      case Figure.Known known -> of(words.apply(known.value()));
      case Figure.Unavailable missing -> new Cell("n/a", missing.reason(), "", "", Tone.PLAIN);
    };
  }

  public static Cell count(Figure figure) {
    return of(figure, Numbers::count);
  }

  public static Cell number(Figure figure) {
    return of(figure, Numbers::number);
  }

  public static Cell percent(Figure figure) {
    return of(figure, Numbers::percent);
  }

  public static Cell latency(Figure figure) {
    return of(figure, seconds -> LatencyUnit.fitting(seconds).text(seconds));
  }

  /** A latency with its interval, both in the unit of the estimate. */
  public static Cell latency(Interval interval) {
    return of(interval.value(), seconds -> IntervalText.latency(interval));
  }

  public Cell noted(String words) {
    return new Cell(text, reason, words, metric, tone, drawing);
  }

  public Cell from(String metricName) {
    return new Cell(text, reason, note, metricName, tone, drawing);
  }

  /** The same with a drawing that only a page has room for. */
  public Cell drawn(Drawing picture) {
    return new Cell(text, reason, note, metric, tone, Optional.of(picture));
  }

  /** The same of a figure that is not exact. */
  public Cell rough() {
    return isMissing() || text.equals(DASH)
        ? this
        : new Cell("~" + text, reason, note, metric, tone, drawing);
  }

  /** This one, or the same of a figure that is not exact. */
  public Cell roughIf(boolean isRough) {
    return isRough ? rough() : this;
  }

  public boolean isMissing() {
    return !reason.isEmpty();
  }

  /** What a plain text shows: the words, or the metric where there are none. */
  public String words() {
    return text.isEmpty() ? metric : text;
  }

  /** The value, or {@code n/a (why)}. */
  public String full() {
    return isMissing() ? "n/a (" + reason + ")" : words();
  }
}
