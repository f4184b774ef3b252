package tallystick.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.answer.words.Wording;
import tallystick.report.section.LoadSection;
import tallystick.scenario.Formatted;

/** What changed from one run to another, the largest change first. */
record RunDifferences(RunAnalysis a, RunAnalysis b) {
  /** Equal runs differ by so much; a smaller change makes no headline. */
  private static final double TOLD = 0.05;

  /** So many standard errors of two counts of arrivals are no chance. */
  private static final double CHANCE = 3;

  /** From here on a change reads better as a factor. */
  private static final double FACTOR = 2;

  /** Beside it a share of failed requests is none: a run that loses two of a thousand is alike. */
  private static final double FEW_FAILED = 0.01;

  /** Rows that the shortest screen keeps. */
  private static final int KEPT = 6;

  /** Parts of a wait in one sentence. */
  private static final int MOST_PARTS = 3;

  /** A part that made less of the change explains nothing. */
  private static final double EXPLAINS = 0.1;

  /**
   * One figure of both runs.
   *
   * @param size of its change, so that figures of all kinds can be put in order
   * @param change in words
   */
  private record Row(
      String name, String ours, String theirs, double size, String change, String sentence) {
    Block.Row cells() {
      return Block.Row.of(Cell.of(name), Cell.of(ours), Cell.of(theirs), Cell.of(change));
    }
  }

  /** That the runs were not asked the same, if they were not: figures follow the load. */
  Optional<String> load() {
    if (a.run().closedLoop() || b.run().closedLoop()) {
      return Optional.empty();
    }
    double ours = LoadSection.sent(a).orZero();
    double theirs = LoadSection.sent(b).orZero();
    double chance =
        CHANCE * Math.hypot(
            ours / Math.sqrt(a.counts().sent()), theirs / Math.sqrt(b.counts().sent()));
    double apart = Math.abs(ours - theirs);
    return ours > 0 && theirs > 0 && apart > TOLD * ours && apart > chance
        ? Optional.of(
            "A was sent " + Numbers.number(ours) + " requests/s, B " + Numbers.number(theirs)
                + ": figures follow the load")
        : Optional.empty();
  }

  /** What changed most, in one sentence; empty where nothing did. */
  Optional<String> headline() {
    return rows().stream().findFirst().filter(row -> row.size >= TOLD).map(Row::sentence);
  }

  /** Every figure that both runs have, the largest change first. */
  Block.Table table() {
    return new Block.Table(
        "", false,
        List.of(Column.name(""), Column.number("A"), Column.number("B"), Column.number("change")),
        ranked(rows()));
  }

  /** A short screen leaves out what changed least. */
  private static List<Block.Row> ranked(List<Row> rows) {
    return IntStream.range(0, rows.size())
        .mapToObj(i -> rows.get(i).cells().spare(Math.max(0, i + 1 - KEPT)))
        .toList();
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    RunAnalysis.ClientLatencies ours = a.client();
    RunAnalysis.ClientLatencies theirs = b.client();
    rows.addAll(latencies("ITL", ours.chunkGaps(), theirs.chunkGaps()));
    latency("TPOT mean", ours.tpot().mean(), theirs.tpot().mean()).ifPresent(rows::add);
    rows.addAll(latencies("E2E", ours.e2eFromIntended(), theirs.e2eFromIntended()));
    rows.addAll(latencies("TTFT", ours.ttftFromIntended(), theirs.ttftFromIntended()));
    if (ours.thinking().isThere() || theirs.thinking().isThere()) {
      rows.addAll(
          latencies("answer TTFT", ours.thinking().answerTtft(), theirs.thinking().answerTtft()));
    }
    latency("Max gap P95", p(ours.largestGaps(), 0.95), p(theirs.largestGaps(), 0.95))
        .ifPresent(rows::add);
    amount(
            "tokens/s", a.counts().completionTokensPerSecond(),
            b.counts().completionTokensPerSecond())
        .ifPresent(rows::add);
    rows.add(share("answered", answered(a), answered(b)));
    for (ObjectiveResult one : a.objectives()) {
      b.objectives().stream()
          .filter(other -> other.objective().equals(one.objective()))
          .filter(other -> Double.isFinite(one.share().orNaN() + other.share().orNaN()))
          .findFirst()
          .ifPresent(
              other ->
                  rows.add(share(
                      Wording.objective(one.objective())
                          .replaceAll(" of (requests|gaps)$", ""),
                      one.share().orNaN(), other.share().orNaN())));
    }
    rows.sort(Comparator.comparingDouble(row -> -row.size));
    return rows;
  }

  private static double answered(RunAnalysis run) {
    long due = run.run().closedLoop() ? run.counts().sent() : run.counts().planned();
    return due == 0 ? 1 : (double) run.counts().ok() / due;
  }

  private static Figure p(Distribution of, double level) {
    return of.percentile(level);
  }

  private static List<Row> latencies(String name, Distribution ours, Distribution theirs) {
    return List.of(0.5, 0.95).stream()
        .flatMap(
            level ->
                latency(name + (level == 0.5 ? " P50" : " P95"), p(ours, level), p(theirs, level))
                    .stream())
        .toList();
  }

  private static Optional<Row> latency(String name, Figure ours, Figure theirs) {
    // One unit for both, that of the longer one.
    LatencyUnit unit = LatencyUnit.fitting(Math.max(ours.orNaN(), theirs.orNaN()));
    return row(
        name, ours.orNaN(), theirs.orNaN(), unit.number(ours.orNaN()), unit.text(theirs.orNaN()),
        unit.text(ours.orNaN()), "as long");
  }

  private static Optional<Row> amount(String name, Figure ours, Figure theirs) {
    String here = Numbers.number(ours);
    return row(name, ours.orNaN(), theirs.orNaN(), here, Numbers.number(theirs), here, "as many");
  }

  private static Optional<Row> row(
      String name, double ours, double theirs, String bare, String to, String from, String how) {
    if (!(ours > 0 && theirs > 0 && Double.isFinite(ours) && Double.isFinite(theirs))) {
      return Optional.empty();
    }
    double ratio = theirs / ours;
    boolean isFactor = ratio >= FACTOR;
    String times = factor(ratio);
    String change = isFactor ? "x " + times : PercentText.signed(ratio - 1);
    String sentence =
        name + (isFactor ? " is " + times + " times " + how : " " + change) + " ("
            + bare + " -> " + to + ")";
    return Optional.of(new Row(name, from, to, Math.abs(Math.log(ratio)), change, sentence));
  }

  private static String factor(double ratio) {
    return ratio >= 10 ? Numbers.number(ratio) : Formatted.of("%.1f", ratio);
  }

  /** A share of requests changes as the share of those that are not in it. */
  private static Row share(String name, double ours, double theirs) {
    String change = PercentText.signed(theirs - ours).replace(" %", " pp");
    String here = Numbers.percent(ours);
    String there = Numbers.percent(theirs);
    return new Row(
        name, here, there,
        Math.abs(Math.log((1 - theirs + FEW_FAILED) / (1 - ours + FEW_FAILED))), change,
        name + " " + here + " -> " + there);
  }

  /** Which parts of a request's way made it, as far as both sides tell. */
  Optional<String> why() {
    return b.decompositions().stream()
        .flatMap(theirs -> a.decompositions().stream().flatMap(ours -> why(ours, theirs).stream()))
        .max(Comparator.comparingDouble(why -> why.size))
        .map(why -> why.words);
  }

  private record Why(double size, String words) {}

  private static Optional<Why> why(Decomposition ours, Decomposition theirs) {
    if (!canBeSubtracted(ours, theirs)) {
      return Optional.empty();
    }
    double rise = theirs.whole().value().orNaN() - ours.whole().value().orNaN();
    record Part(String name, double rise) {}
    String parts =
        IntStream.range(0, ours.parts().size())
            .mapToObj(
                i ->
                    new Part(
                        Wording.name(ours.parts().get(i).name()),
                        theirs.parts().get(i).mean().value().orNaN()
                            - ours.parts().get(i).mean().value().orNaN()))
            .filter(part -> Math.abs(part.rise()) >= EXPLAINS * Math.abs(rise))
            .sorted(Comparator.comparingDouble(part -> -Math.abs(part.rise())))
            .limit(MOST_PARTS)
            .map(part -> part.name() + " " + signed(part.rise()))
            .collect(Collectors.joining(", "));
    return parts.isEmpty() || !Double.isFinite(rise)
        ? Optional.empty()
        : Optional.of(new Why(
            Math.abs(rise),
            Wording.name(ours.quantity()) + " mean " + signed(rise) + ", to "
                + Numbers.latency(theirs.whole().value()) + ": " + parts));
  }

  private static String signed(double seconds) {
    return Numbers.signed(seconds, LatencyUnit.fitting(seconds)::text);
  }

  /** Whether two waits are of one kind, and have the same parts. */
  static boolean canBeSubtracted(Decomposition ours, Decomposition theirs) {
    return ours.quantity() == theirs.quantity()
        && ours.available()
        && theirs.available()
        && ours.parts().stream().map(Decomposition.Part::name).toList()
            .equals(theirs.parts().stream().map(Decomposition.Part::name).toList());
  }
}
