package tallystick.analysis.result;

import tallystick.scenario.Formatted;

/**
 * A circumstance of both periods, which may be why a wait changed.
 *
 * @param name which
 * @param unit of both sides
 * @param reference in the reference
 * @param judged in the judged period
 */
public record Contrast(Circumstance name, Circumstance.Unit unit, Figure reference, Figure judged) {

  /** Both sides of a circumstance. */
  public Contrast(Circumstance name, Figure reference, Figure judged) {
    this(name, name.unit(), reference, judged);
  }

  /** One side's figure with its unit. */
  public String text(Figure side) {
    double value = side.orNaN();
    return switch (name) {
      case PREFIX_HIT_RATIO, KV_USAGE_PEAK -> number(100 * value) + " %";
      case DECODE_STEP_COST, PROMPT_TOKEN_COST -> number(value) + " times";
      case OFFERED_RATE, FINISHED_RATE, OUTPUT_TOKENS_RATE, FOREIGN_REQUESTS ->
          number(value) + "/s";
      case CLIENT_STOOD_STILL, ENGINE_STOOD_STILL -> number(value) + " s";
      case PROMPT_TOKENS, ANSWER_TOKENS, TOKENS_PER_STEP -> number(value) + " tokens";
      case BURSTINESS, PREEMPTIONS_PER_REQUEST, REQUESTS_RUNNING, REQUESTS_WAITING ->
          number(value);
      case ENGINES, MOST_RUNNING -> Formatted.of("%,.0f", value);
    };
  }

  /** Whether both sides are known and read differently. */
  public boolean isChanged() {
    return reference instanceof Figure.Known
        && judged instanceof Figure.Known
        && !text(reference).equals(text(judged));
  }

  private static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return size == 0 ? "0" : Formatted.of(format, value);
  }
}
