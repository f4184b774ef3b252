package tallystick.experiment.study;

import java.util.Locale;
import java.util.stream.Collectors;
import tallystick.experiment.Rates;

/** A study as Markdown: its screen, its runs, and what each threshold lacks. */
final class StudySummary {
  private StudySummary() {}

  static String of(FinishedStudy study, String screen) {
    StringBuilder text = new StringBuilder();
    text.append("# Study of ").append(study.scenario()).append("\n\n```\n");
    text.append(screen).append("```\n\n## Runs\n\n");
    text.append("| run | mix | seconds | steps (requests/s: share good) | reference |\n");
    text.append("|---:|---|---:|---|---|\n");
    study.runs().forEach(run -> text.append(row(run)));
    if (!study.moved().isEmpty()) {
      text.append("\nAnother engine met, so left out of claims about load:\n\n");
      study.moved().forEach(one -> text.append("- ").append(one.words()).append('\n'));
    }
    text.append("\n## Thresholds\n\n| objective | signal | state | what it lacks |\n");
    text.append("|---|---|---|---|\n");
    study.standings().forEach(standing -> text.append(row(standing)));
    study.forecast().ifPresent(forecast -> text.append(forecast.table(study.runs())));
    return text.toString();
  }

  private static String row(StudyResult result) {
    String steps =
        result.readings().stream()
            .map(
                one ->
                    String.format(
                        Locale.ROOT, "%s %s: %.1f %%", one.step().name(),
                        Rates.text(one.step().perSecond()), 100 * one.goodShare()))
            .collect(Collectors.joining(", "));
    String reference =
        result.reference().requests() == 0
            ? "–"
            : String.format(
                Locale.ROOT, "%.3g s ± %.2g", result.reference().meanSeconds(),
                result.reference().errorSeconds());
    return String.format(
        Locale.ROOT, "| %d | %s | %.0f | %s | %s |%n", result.run().number(), result.run().mix(),
        result.elapsedSeconds(), result.trusted() ? steps : "not used: " + result.doubt(),
        reference);
  }

  private static String row(Standing standing) {
    String lacks =
        standing.lacks().stream().map(lack -> lack.sentence()).collect(Collectors.joining("; "));
    return String.format(
        Locale.ROOT, "| %s | %s | %s | %s |%n",
        standing.objective().name().toLowerCase(Locale.ROOT), standing.signal().word(),
        standing.state().name().toLowerCase(Locale.ROOT).replace('_', ' '), lacks);
  }
}
