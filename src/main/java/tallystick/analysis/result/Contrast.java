package tallystick.analysis.result;

import java.util.Locale;

/**
 * A circumstance of both stretches, which may be why a wait changed.
 *
 * @param name offered_rate, prompt_tokens, answer_tokens, prefix_hit_ratio, preemptions, …
 * @param unit per_second, tokens, ratio, count or seconds
 * @param reference in the reference
 * @param judged in the judged stretch
 */
public record Contrast(String name, String unit, Figure reference, Figure judged) {
  /** What it is, in words. */
  public String words() {
    return switch (name) {
      case "offered_rate" -> "requests offered";
      case "burstiness" -> "burstiness of arrivals (1 = independent)";
      case "prompt_tokens" -> "mean prompt length";
      case "answer_tokens" -> "mean answer length";
      case "prefix_hit_ratio" -> "prompt tokens from the prefix cache";
      case "kv_usage_peak" -> "fullest KV cache";
      case "finished_rate" -> "requests finished";
      case "output_tokens_rate" -> "output tokens";
      case "client_stood_still" -> "client stood still for";
      case "engine_stood_still" -> "engine stood still for";
      case "decode_step_cost" -> "time of a step without prompts, at equal requests";
      case "prompt_token_cost" -> "time for a prompt token";
      default -> name.replace('_', ' ');
    };
  }

  /** One side's figure with its unit. */
  public String text(Figure side) {
    double value = side.orNaN();
    return switch (name) {
      case "prefix_hit_ratio", "kv_usage_peak" -> number(100 * value) + " %";
      case "decode_step_cost", "prompt_token_cost" -> number(value) + " times";
      default ->
          switch (unit) {
            case "per_second" -> number(value) + "/s";
            case "seconds" -> number(value) + " s";
            case "tokens" -> number(value) + " tokens";
            default -> number(value);
          };
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
    return size == 0 ? "0" : String.format(Locale.ROOT, format, value);
  }
}
