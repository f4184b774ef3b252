package tallystick.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Latency;
import tallystick.answer.Mark;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.scenario.Counted;

/** The sentences of a comparison. */
final class RegressionWords {
  private static final int MOST_PARTS = 3;
  private static final double MOST_OF_IT = 0.5;

  /** Less than this is written as no change. */
  private static final double LEAST_TOLD = 0.0005;

  private final RegressReport report;
  private final Regression regression;
  private final PileUpWords pileUp;

  RegressionWords(RegressReport report) {
    this.report = report;
    this.regression = report.regression();
    this.pileUp = new PileUpWords(report);
  }

  /** What was compared, for the first line. */
  List<Mark> head() {
    List<String> all = new ArrayList<>();
    all.add(report.title());
    all.add("base " + report.base());
    if (!isBaseAlone()) {
      all.add("candidate " + report.candidate());
    }
    all.add(runs());
    if (!report.time().isEmpty()) {
      all.add(report.time());
    }
    return all.stream().map(words -> new Mark(Tone.PLAIN, words)).toList();
  }

  private String runs() {
    Regression.Design design = regression.design();
    if (isBaseAlone()) {
      return counted(design.base(), "run");
    }
    return design.paired()
        ? counted(design.base(), "pair")
        : design.base() + " runs against " + design.candidate();
  }

  private static String counted(int count, String what) {
    return Counted.of(count, what, what + "s");
  }

  /** The answer in one sentence. */
  String verdict() {
    return switch (regression.verdict()) {
      case INVALID ->
          "these runs cannot be compared: "
              + regression.unlike().stream()
                  .map(Regression.Unlike::key)
                  .collect(Collectors.joining(", "))
              + pileUp.whereRefused();
      case REGRESSED ->
          "regressed: "
              + (regression.isDrowned() ? pileUp.notCarried() : list(with(Verdict.REGRESSED)));
      case PASSED ->
          "passed: no metric is worse by its margin (" + margins() + ")" + notJudged();
      case NOT_PROVEN -> notProven();
    };
  }

  private boolean isBaseAlone() {
    return regression.isBaseAlone();
  }

  private String notProven() {
    if (isBaseAlone()) {
      return "none: the base alone was measured";
    }
    if (regression.metrics().isEmpty()) {
      Regression.Design design = regression.design();
      if (design.base() != design.candidate()) {
        return "none: " + counted(design.base(), "run") + " against " + design.candidate()
            + " cannot be told from chance; " + RegressionJudge.USUAL_REPEATS + " of each can";
      }
      int more = RegressionJudge.USUAL_REPEATS - design.base();
      return "none: " + counted(design.base(), "run")
          + " of each cannot be told from chance; " + more + " more of each make "
          + RegressionJudge.USUAL_REPEATS;
    }
    List<Judged> open =
        with(Verdict.NOT_PROVEN).stream().filter(Judged::gates).toList();
    if (open.isEmpty()) {
      return "not proven: no time can be judged here, equal runs differ too much";
    }
    return "not proven: " + list(open);
  }

  private List<Judged> with(Verdict verdict) {
    return regression.metrics().stream().filter(one -> one.verdict() == verdict).toList();
  }

  private String list(List<Judged> metrics) {
    Judged first = metrics.getFirst();
    String others =
        metrics.stream()
            .skip(1)
            .map(one -> one.metric().words() + change(one))
            .collect(Collectors.joining(", "));
    String begin =
        first.isLost()
            ? first.metric().words() + " " + first.remark()
        : first.base() == 0
            ? first.metric().words() + " n/a (" + first.remark() + ")"
            : first.metric().words() + " " + signed(first.effect().value()) + " (95 % CI "
                + signed(first.effect().low()) + " to " + signed(first.effect().high())
                + "); margin " + plain(first.margin()) + beyondChance(first)
                + (first.carriesMore() ? ", but " + first.remark() : "");
    return others.isEmpty() ? begin : begin + "; also " + others;
  }

  /** An interval of 95 % of one metric may lie above its margin and prove nothing over all. */
  private static String beyondChance(Judged one) {
    return one.verdict() == Verdict.NOT_PROVEN && one.effect().low() > one.margin()
        ? ", but of all metrics together one looks so by chance in " + plain(one.chance())
            + ", and " + plain(RegressionJudge.LEVEL) + " is asked"
        : "";
  }

  private static String change(Judged one) {
    return one.isLost() ? " 0" : one.base() == 0 ? "" : " " + signed(one.effect().value());
  }

  private String margins() {
    Map<Double, List<String>> all = new TreeMap<>();
    regression.metrics().forEach(
        one ->
            all.computeIfAbsent(one.margin(), none -> new ArrayList<>())
                .add(one.metric().words()));
    double most =
        Collections.max(all.keySet(), Comparator.comparingInt(margin -> all.get(margin).size()));
    String others =
        all.keySet().stream()
            .filter(margin -> margin != most)
            .map(margin -> ", " + String.join(" and ", all.get(margin)) + " " + plain(margin))
            .collect(Collectors.joining());
    return plain(most) + others;
  }

  private String notJudged() {
    String names =
        regression.metrics().stream()
            .filter(one -> one.verdict() == Verdict.NOT_PROVEN)
            .map(one -> one.metric().words())
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : "; not judged: " + names + " (equal runs differ too much)";
  }

  /** What stands below the answer. */
  List<String> details(int room) {
    List<String> all = new ArrayList<>();
    regression.unlike().stream()
        .limit(Math.max(2, room))
        .forEach(one -> all.add(one.key() + ": " + one.text()));
    if (regression.isDrowned()) {
      all.add(
          "no metric was compared: where requests pile up they tell how long the runs were");
    }
    if (regression.metrics().stream().anyMatch(Judged::isLost)) {
      report.candidateRuns().stream()
          .flatMap(run -> run.spoiledBy().stream())
          .findFirst()
          .ifPresent(why -> all.add("a run of the candidate: " + why.text()));
    }
    List<Judged> passed = with(Verdict.PASSED);
    if (regression.verdict() != Verdict.PASSED && !passed.isEmpty()) {
      all.add(
          "passed: "
              + passed.stream().map(one -> one.metric().words()).collect(
                  Collectors.joining(", ")));
    }
    return all;
  }

  /** Which part of the way the change comes from. */
  Optional<String> where() {
    List<Judged> worse = with(Verdict.REGRESSED);
    Latency wanted = worse.isEmpty() ? Latency.TTFT : worse.getFirst().metric().explainedBy();
    return regression.changes().stream()
        .filter(change -> change.quantity() == wanted)
        .findFirst()
        .or(() -> regression.changes().stream().findFirst())
        .map(change -> parts(change, !worse.isEmpty()));
  }

  private static String parts(Change change, boolean isWorse) {
    List<Change.Part> moved =
        change.parts().stream()
            .filter(part -> part.grew() || part.rise().high().orNaN() < 0)
            .sorted(
                Comparator.comparingDouble(
                    (Change.Part part) -> -Math.abs(part.rise().value().orNaN())))
            .toList();
    String name = Wording.name(change.quantity()) + " mean ";
    String reached = Numbers.latency(change.whole().judged());
    String whole = name + rise(change.whole()) + " to " + reached;
    if (moved.isEmpty()) {
      return largest(change)
          .filter(part -> isWorse)
          .map(part -> whole + ", most of it in " + Wording.name(part.name())
              + " (" + rise(part) + "); these runs differ too much to prove it")
          .orElse(name + reached + "; no part of it changed beyond its interval");
    }
    String shown =
        moved.stream()
            .limit(MOST_PARTS)
            .map(part -> Wording.name(part.name()) + " " + rise(part))
            .collect(Collectors.joining(", "));
    String rest =
        change.parts().stream()
            .filter(part -> !moved.contains(part) && part.judged().orNaN() > 0)
            .map(part -> Wording.name(part.name()))
            .limit(MOST_PARTS)
            .collect(Collectors.joining(", "));
    return whole + ": " + shown + (rest.isEmpty() ? "" : "; no change seen: " + rest);
  }

  /** The part that makes up most of a rise, proven or not; none where the whole fell. */
  private static Optional<Change.Part> largest(Change change) {
    double whole = change.whole().rise().value().orNaN();
    return change.parts().stream()
        .filter(part -> whole > 0 && part.rise().value().orNaN() > MOST_OF_IT * whole)
        .findFirst();
  }

  private static String rise(Change.Part part) {
    double seconds = part.rise().value().orNaN();
    return Numbers.signed(seconds, LatencyUnit.fitting(seconds)::text);
  }

  /** Whether to believe it. */
  String trust() {
    if (regression.verdict() == Verdict.INVALID) {
      return "no: nothing below was judged";
    }
    if (isBaseAlone()) {
      return "yes: nothing spoiled a run";
    }
    Regression.Design design = regression.design();
    List<String> all = new ArrayList<>();
    all.add("yes: same mix, rate and machine");
    all.add(design.paired() ? "same schedules in each pair" : "schedules not paired");
    if (Math.abs(design.order()) >= LEAST_TOLD) {
      all.add("second place in a pair " + signed(design.order()) + ", taken out");
    }
    if (Math.abs(design.drift()) >= LEAST_TOLD) {
      all.add("base drifted " + signed(design.drift()));
    }
    if (design.leftOut() > 0) {
      all.add(counted(design.leftOut(), "pair") + " left out: the client was late");
    }
    if (!regression.isDrowned()) {
      all.add(noise());
    }
    return String.join("; ", all);
  }

  private String noise() {
    List<String> known =
        regression.metrics().stream()
            .filter(one -> one.noise() >= 0)
            .limit(2)
            .map(one -> one.metric().words() + " " + plain(one.noise()))
            .toList();
    return known.isEmpty()
        ? "A/A noise not calibrated"
        : "A/A noise " + String.join(", ", known) + " (" + report.noise() + ")";
  }

  /** What differs beside the figures that are judged. */
  Optional<String> differs(int room) {
    if (isBaseAlone()) {
      return Optional.empty();
    }
    String differs =
        regression.differences().stream()
            .limit(Math.max(1, room))
            .map(one -> one.name() + " " + one.base() + " -> " + one.candidate())
            .collect(Collectors.joining("; "));
    return Optional.of(
        differs.isEmpty()
            ? "nothing else: settings, versions and the engine's figures are alike"
            : differs);
  }

  /** One metric's result in a sentence. */
  static String sentence(Judged one) {
    if (one.base() == 0) {
      return "n/a (" + one.remark() + ")";
    }
    if (one.isLost()) {
      return one.remark();
    }
    String found =
        "worse by " + signed(one.effect().value()) + " (95 % CI " + signed(one.effect().low())
            + " to " + signed(one.effect().high()) + "), margin " + plain(one.margin())
            + ", could see " + plain(one.couldSee());
    return one.remark().isEmpty() ? found : found + "; " + one.remark();
  }

  /** A metric's figure in its unit. */
  static String figure(ComparedMetric metric, double value) {
    return switch (metric) {
      case COMPLETED, GOOD_SHARE -> Numbers.percent(value);
      case GOODPUT -> Numbers.number(value) + "/s";
      // Its name says the unit.
      case OUTPUT_RATE -> Numbers.number(value);
      case TTFT_P50, TTFT_P95, TTFT_P99, TPOT_MEAN, ITL_P95, ITL_P99, E2E_MEAN, E2E_P95 ->
          LatencyUnit.fitting(value).text(value);
    };
  }

  /** {@code +4.8 %}; whole numbers from 10 on. */
  static String signed(double share) {
    if (Math.abs(share) < LEAST_TOLD) {
      return plain(0);
    }
    return (share < 0 ? "-" : "+") + plain(Math.abs(share));
  }

  /** {@code 4.8 %}. */
  static String plain(double share) {
    int digits = share < 0.0995 ? 1 : 0;
    return new BigDecimal(100 * share).setScale(digits, RoundingMode.HALF_UP)
        .toPlainString().replaceFirst("\\.0$", "") + " %";
  }
}
