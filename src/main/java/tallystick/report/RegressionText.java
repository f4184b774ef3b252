package tallystick.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.answer.Answer;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.TestCase;
import tallystick.answer.Tone;
import tallystick.answer.chart.ChangeSteps;
import tallystick.answer.chart.Effects;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.report.markup.AnswerList;
import tallystick.report.screen.Screen;
import tallystick.report.screen.Terminal;
import tallystick.report.writing.HtmlPage;
import tallystick.report.writing.MarkdownWriter;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.WholeFile;

/** A base and a candidate, judged: on one screen, for a pull request, and for a pipeline. */
public final class RegressionText {
  /** Equal runs of a quiet machine hardly differ so much. */
  private static final double UNSTEADY = 0.2;

  private static final int MOST_DIFFERENCES = 6;
  private static final String PAGE = "regress.html";
  private static final String EFFECTS =
      "The bar is the 95 % interval, the dashed line the margin. Left of the thin line the"
          + " candidate is better.";

  private final RegressReport report;
  private final Regression regression;
  private final RegressionWords words;

  private RegressionText(RegressReport report) {
    this.report = report;
    this.regression = report.regression();
    this.words = new RegressionWords(report);
  }

  /** The first screen: 24 lines of the terminal. */
  public static String screen(RegressReport report, Terminal terminal) {
    RegressionText text = new RegressionText(report);
    return Screen.fitted(MOST_DIFFERENCES, room -> text.document(room, List.of()), terminal);
  }

  /** The whole account for a pull request. */
  public static String markdown(RegressReport report) {
    RegressionText text = new RegressionText(report);
    return MarkdownWriter.text(
        text.document(MOST_DIFFERENCES, List.of(text.parts(), text.differences())));
  }

  /** The same as a page: the screen, the effects with their intervals, where the time went. */
  public static String page(RegressReport report) {
    RegressionText text = new RegressionText(report);
    Document screen = text.document(MOST_DIFFERENCES, List.of());
    return HtmlPage.of(
        new Document(
            screen.title(), Stream.concat(screen.marks().stream(), text.simulated()).toList(),
            AnswerList.head(screen.lead()),
            List.of(text.effects(), text.parts(), text.differences())),
        "Tallystick. Every figure is in " + RegressReport.FILE + ".");
  }

  /**
   * Writes {@code summary.md}, {@code junit.xml} and the page, with its line in the list of runs.
   *
   * @throws IOException if the folder cannot be written
   */
  public static void write(RegressReport report, Path folder) throws IOException {
    WholeFile.write(folder.resolve("summary.md"), markdown(report));
    WholeFile.write(
        folder.resolve("junit.xml"), out -> new RegressionText(report).cases().write(out));
    WholeFile.write(folder.resolve(PAGE), page(report));
    RegressionText text = new RegressionText(report);
    RunLine line =
        new RunLine(
            report.command(), String.valueOf(folder.toAbsolutePath().getFileName()),
            report.baseRuns().isEmpty() ? "" : report.baseRuns().getFirst().startedUtc(), PAGE,
            text.simulated().toList(), RunLine.answers(text.answers(0)), Map.of());
    WholeFile.write(
        folder.resolve(RunsPage.ANSWERS), out -> AnalysisJson.write(line, out));
  }

  private List<Block.Item> answers(int room) {
    List<Block.Item> answers = new ArrayList<>();
    answers.add(verdict());
    words.details(room).forEach(line -> answers.add(item(Tone.PLAIN, "", line)));
    words.where().ifPresent(line -> answers.add(item(Tone.PLAIN, "WHERE", line)));
    answers.add(item(trustTone(), "TRUST", words.trust()));
    cautions().forEach(line -> answers.add(item(Tone.CAUTION, "", line)));
    return answers;
  }

  private Document document(int room, List<Section> sections) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Items(false, answers(room)));
    if (!regression.metrics().isEmpty()) {
      blocks.add(table());
    }
    List<Block.Item> next = new ArrayList<>();
    words.differs(room).ifPresent(line -> next.add(item(Tone.PLAIN, "DIFFERS", line)));
    List<String> steps = new RegressionNext(report).next();
    for (int i = 0; i < steps.size(); i++) {
      next.add(item(Tone.PLAIN, i == 0 ? "NEXT" : "", steps.get(i)));
    }
    blocks.add(new Block.Items(false, next));
    return new Document(report.command(), words.head(), blocks, sections);
  }

  private static Block.Item item(Tone tone, String word, String text) {
    return new Block.Item(new Mark(tone, "%-7s".formatted(word)), text, "", List.of());
  }

  private Block.Item verdict() {
    return switch (regression.verdict()) {
      case PASSED -> item(Tone.GOOD, "VERDICT", words.verdict());
      case REGRESSED -> item(Tone.BAD, "VERDICT", words.verdict());
      case NOT_PROVEN -> item(Tone.CAUTION, "VERDICT", words.verdict());
      case INVALID -> item(Tone.BAD, "INVALID", words.verdict());
    };
  }

  private Tone trustTone() {
    return regression.verdict() == Verdict.INVALID ? Tone.BAD : Tone.GOOD;
  }

  private Optional<Manifest.Source> source() {
    return report.baseRuns().stream()
        .findFirst()
        .map(run -> run.likeness().getOrDefault("engine kind", "unknown"))
        .flatMap(RegressionText::source);
  }

  /** A file of figures may come from a build that knows another kind. */
  private static Optional<Manifest.Source> source(String kind) {
    return Stream.of(Manifest.Source.values())
        .filter(one -> one.name().equalsIgnoreCase(kind))
        .findFirst();
  }

  /** What answered, where it was no server: the list of runs must not look like real figures. */
  private Stream<Mark> simulated() {
    return source().stream()
        .filter(one -> !Wording.engineCaution(one).isEmpty())
        .map(one -> new Mark(Tone.CAUTION, Wording.engine(one)));
  }

  private List<String> cautions() {
    List<String> all = new ArrayList<>();
    source().map(Wording::engineCaution).filter(one -> !one.isEmpty()).ifPresent(all::add);
    if (report.baseRuns().stream().limit(1).anyMatch(run -> run.load().closedLoop())) {
      all.add("closed loop: a slower engine is asked less, so the rate is judged, too");
    }
    if (Math.abs(regression.design().drift()) >= UNSTEADY) {
      all.add(
          "the machine was not steady: its first and last run of the base differ by "
              + RegressionWords.plain(Math.abs(regression.design().drift()))
              + ". Pairs of neighbours allow for that; a quiet machine shows smaller effects");
    }
    all.addAll(report.cautions());
    int piled = regression.pileUp().base() + regression.pileUp().candidate();
    boolean isTold = regression.verdict() == Verdict.INVALID || regression.isDrowned();
    if (piled > 0 && !isTold) {
      int runs = report.baseRuns().size() + report.candidateRuns().size();
      all.add(
          "requests seemed to pile up in " + piled + " of " + runs + " runs: too few for overload");
    }
    return all;
  }

  private Block.Table table() {
    List<Column> columns =
        List.of(
            Column.name(""), Column.number("base"), Column.number("candidate"),
            Column.number("worse by"), Column.number("95 % interval"),
            Column.number("could see"), Column.words("verdict"));
    return new Block.Table(
        "Metrics", false, columns, regression.metrics().stream().map(this::row).toList());
  }

  private static Mark verdict(Judged one) {
    return switch (one.verdict()) {
      case PASSED -> new Mark(Tone.GOOD, "passed");
      case REGRESSED -> new Mark(Tone.BAD, "regressed");
      case NOT_PROVEN -> new Mark(Tone.CAUTION, one.gates() ? "not proven" : "not judged");
      case INVALID -> new Mark(Tone.BAD, "invalid");
    };
  }

  private Block.Row row(Judged one) {
    Mark mark = verdict(one);
    if (one.base() == 0) {
      return Block.Row.of(
          Cell.of(one.metric().words()), Cell.of("n/a"), Cell.of("n/a"), Cell.of("n/a"),
          Cell.of("–"), Cell.of("–"), Cell.of(mark));
    }
    if (one.isLost()) {
      return Block.Row.of(
          Cell.of(one.metric().words()),
          Cell.of(RegressionWords.figure(one.metric(), one.base())), Cell.of("0"),
          Cell.of("all of it"), Cell.of("–"), Cell.of("–"), Cell.of(mark));
    }
    return Block.Row.of(
        Cell.of(one.metric().words()),
        Cell.of(RegressionWords.figure(one.metric(), one.base())),
        Cell.of(RegressionWords.figure(one.metric(), one.candidate())),
        Cell.of(RegressionWords.signed(one.effect().value())),
        Cell.of(
            RegressionWords.signed(one.effect().low()).replace(" %", "") + " … "
                + RegressionWords.signed(one.effect().high())),
        Cell.of(RegressionWords.plain(one.couldSee())),
        Cell.of(mark));
  }

  private Section effects() {
    List<Effects.Effect> effects =
        regression.metrics().stream().map(RegressionText::effect).toList();
    return Section.of(
        "effects", "Worse by",
        effects.isEmpty()
            ? List.of()
            : List.of(
                new Block.Text(Tone.MUTED, EFFECTS),
                new Block.Picture(new Effects(effects), List.of())));
  }

  private static Effects.Effect effect(Judged one) {
    boolean isKnown = one.base() != 0 && !one.isLost();
    return new Effects.Effect(
        one.metric().words(), isKnown ? one.effect().low() : Double.NaN, one.effect().value(),
        one.effect().high(), one.margin(), verdict(one).tone(),
        isKnown
            ? RegressionWords.signed(one.effect().value()) + ", " + verdict(one).word()
            : one.isLost() ? "lost" : "n/a");
  }

  private static Block waterfall(Change change) {
    String name = Wording.name(change.quantity()) + " mean";
    List<ChangeSteps.Step> steps =
        change.parts().stream()
            .map(
                one ->
                    new ChangeSteps.Step(
                        one.name().words(), one.rise().value().orNaN(), tone(one),
                        IntervalText.latency(one.rise())))
            .toList();
    return new Block.Picture(
        new ChangeSteps(
            name, end("base", change.whole().reference()), steps,
            end("candidate", change.whole().judged())),
        List.of());
  }

  private static Tone tone(Change.Part part) {
    if (part.grew()) {
      return Tone.BAD;
    }
    return part.rise().high().orNaN() < 0 ? Tone.GOOD : Tone.PLAIN;
  }

  private static ChangeSteps.End end(String name, Figure mean) {
    return new ChangeSteps.End(name, mean.orNaN(), Numbers.latency(mean));
  }

  private Section parts() {
    List<Block> blocks = new ArrayList<>();
    List<Block.Row> rows = new ArrayList<>();
    regression
        .changes()
        .forEach(
            change -> {
              blocks.add(waterfall(change));
              String whole = Wording.name(change.quantity());
              rows.add(part(whole + " mean", change.whole()));
              change.parts().forEach(one -> rows.add(part(one.name().words(), one)));
            });
    List<Column> columns =
        List.of(
            Column.name("part"), Column.number("base"), Column.number("candidate"),
            Column.number("rise"), Column.words("grew"));
    blocks.add(new Block.Table("", false, columns, rows));
    return Section.of("parts", "Where the time went", blocks);
  }

  private static Block.Row part(
      String name, Change.Part part) {
    return Block.Row.of(
        Cell.of(name),
        Cell.of(Numbers.latency(part.reference())),
        Cell.of(Numbers.latency(part.judged())),
        Cell.latency(part.rise()),
        Cell.of(part.grew() ? "yes" : "not seen"));
  }

  private Section differences() {
    List<Column> columns =
        List.of(Column.name(""), Column.words("base"), Column.words("candidate"));
    return Section.of(
        "differences", "What else differs",
        new Block.Table(
            "", false, columns,
            regression.differences().stream()
                .map(
                    one ->
                        Block.Row.of(
                            Cell.of(one.name()), Cell.of(one.base()), Cell.of(one.candidate())))
                .toList()));
  }

  private JUnitSuite cases() {
    List<TestCase> cases = new ArrayList<>();
    boolean isInvalid = regression.verdict() == Verdict.INVALID;
    cases.add(
        new TestCase(
            "comparison", "the runs can be compared",
            isInvalid ? TestCase.Result.ERROR : TestCase.Result.PASSED,
            isInvalid ? words.verdict() : ""));
    if (regression.isDrowned()) {
      cases.add(
          new TestCase(
              "load", "the candidate carries this load", TestCase.Result.FAILURE,
              new PileUpWords(report).notCarried()));
    }
    regression.metrics().forEach(one -> cases.add(metric(one)));
    if (regression.metrics().isEmpty() && !isInvalid) {
      cases.add(
          new TestCase(
              "comparison", "there are enough repeats", TestCase.Result.SKIPPED,
              words.verdict()));
    }
    String started =
        report.baseRuns().isEmpty() ? "" : report.baseRuns().getFirst().startedUtc();
    return new JUnitSuite(new Answer.Suite(report.title() + " (comparison)", started, 0, cases));
  }

  private static TestCase metric(Judged one) {
    TestCase.Result outcome =
        switch (one.verdict()) {
          case PASSED -> TestCase.Result.PASSED;
          case REGRESSED -> TestCase.Result.FAILURE;
          case NOT_PROVEN, INVALID -> TestCase.Result.SKIPPED;
        };
    String name =
        one.metric().words() + " is worse by less than " + RegressionWords.plain(one.margin());
    return new TestCase("metrics", name, outcome, RegressionWords.sentence(one));
  }
}
