package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.EngineDistribution.Bracket;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Thinking;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;

/** What was sent, admitted and completed, and the workload's shape. */
public final class LoadSection {
  private static final String LEAD =
      "The engine counts every request that it finished, for any reason (vLLM: request_success). It"
          + " is not a success rate: requests that were refused, cut or abandoned are not in it."
          + " Statuses are as the client saw them.";

  /** With Poisson arrivals the 95 % interval of fewer is wider than half the rate. */
  private static final int FEWEST_FOR_A_RATE = 16;

  private LoadSection() {}

  public static Section of(RunAnalysis analysis) {
    LoadAccount load = analysis.load();
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Text(Tone.MUTED, LEAD));
    List<Block.Group> groups = new ArrayList<>();
    groups.add(Block.Group.of("Load", load(analysis.counts())));
    groups.add(Block.Group.of("Sent, admitted, completed", flow(analysis)));
    groups.add(Block.Group.of("Shares", shares(load)));
    if (analysis.client().thinking().isThere()) {
      groups.add(Block.Group.of("Thinking", thinking(analysis.client().thinking())));
    }
    if (load.externalCache().isThere()) {
      groups.add(Block.Group.of("KV cache outside the engine", external(load.externalCache())));
    }
    groups.add(Block.Group.of("Statuses, and why the engine finished", statuses(load)));
    blocks.add(new Block.Groups(groups));
    blocks.add(new Block.PageOnly(
        "How the answers were cut into chunks",
        List.of(new Block.Facts(chunks(analysis.counts())))));
    if (!load.shape().isEmpty()) {
      blocks.add(shape(load.shape()));
    }
    return Section.of("load", "Load", blocks);
  }

  /** What was asked and what came back. */
  public static List<Fact> load(RunAnalysis.Counts counts) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("planned", Numbers.count(counts.planned())));
    String least = counts.withoutRow() instanceof Figure.Known ? "" : "at least ";
    facts.add(new Fact("sent", least + Numbers.count(counts.sent())));
    facts.add(new Fact("ended", Numbers.count(counts.ended())));
    new TreeMap<>(counts.byOutcome())
        .forEach((word, n) -> facts.add(new Fact(word.replace('_', ' '), Numbers.count(n))));
    facts.add(new Fact("requests/s", Numbers.number(counts.requestsPerSecond())));
    facts.add(new Fact("output tokens/s", Numbers.number(counts.completionTokensPerSecond())));
    facts.add(new Fact("prompt tokens", Numbers.count(counts.promptTokens())));
    facts.add(new Fact("output tokens", Numbers.count(counts.completionTokens())));
    return facts;
  }

  /** The rate at which requests were sent; of so few it would be chance. */
  public static Figure sent(RunAnalysis analysis) {
    long sent = analysis.counts().sent();
    return sent < FEWEST_FOR_A_RATE
        ? Figure.missing("n=" + sent + ", need " + FEWEST_FOR_A_RATE)
        : analysis.load().offeredPerSecond();
  }

  // Requests a second where each is counted: at the client, at the first token, at the finish.
  private static List<Fact> flow(RunAnalysis analysis) {
    LoadAccount load = analysis.load();
    return List.of(
        new Fact("sent by the client, requests/s", Numbers.number(sent(analysis))),
        new Fact("first token in the engine, requests/s", Numbers.number(load.admittedPerSecond())),
        new Fact("finished in the engine, requests/s", Numbers.number(load.completedPerSecond())),
        new Fact("output tokens/s at the client", Numbers.number(load.clientTokensPerSecond())),
        new Fact("output tokens/s in the engine", Numbers.number(load.engineTokensPerSecond())),
        new Fact("prompt tokens/s in the engine", Numbers.number(load.promptTokensPerSecond())));
  }

  private static List<Fact> shares(LoadAccount load) {
    return List.of(
        new Fact("prefix-cache hits of tokens", Numbers.percent(load.prefixHitRatio())),
        new Fact("preemptions per finished request", Numbers.number(load.preemptionsPerFinished())),
        new Fact("tokens per scheduler step", Numbers.number(load.tokensPerIteration())),
        new Fact("accepted draft tokens", Numbers.percent(load.speculativeAcceptance())));
  }

  private static List<Fact> external(LoadAccount.ExternalCache cache) {
    return List.of(
        new Fact("hits of tokens looked up", Numbers.percent(cache.hitRatio())),
        new Fact("fetching from it, mean", Numbers.latency(cache.retrieveSeconds())),
        new Fact("storing into it, mean", Numbers.latency(cache.storeSeconds())));
  }

  private static List<Fact> thinking(Thinking thinking) {
    return List.of(
        new Fact("requests that thought first", Numbers.count(thinking.requests())),
        new Fact("of them ended without an answer", Numbers.count(thinking.withoutAnswer())),
        new Fact("thinking tokens, mean", Numbers.number(thinking.meanTokens())),
        new Fact("thinking tokens, P50", Numbers.count(thinking.medianTokens())),
        new Fact("thinking tokens, P95", Numbers.count(thinking.p95Tokens())),
        new Fact("share of their output tokens", Numbers.percent(thinking.outputShare())));
  }

  private static List<Fact> statuses(LoadAccount load) {
    List<Fact> facts = new ArrayList<>();
    new TreeMap<>(load.statuses())
        .forEach((status, n) -> facts.add(new Fact("HTTP " + status, Numbers.count(n))));
    new TreeMap<>(load.engineFinished())
        .forEach((reason, n) -> facts.add(new Fact("engine: " + reason, Numbers.count(n))));
    new TreeMap<>(load.waitingByReason())
        .forEach((reason, n) -> facts.add(new Fact("most waiting: " + reason, Numbers.count(n))));
    return facts;
  }

  // How the answers were cut into chunks; merged chunks make gaps and tokens differ.
  private static List<Fact> chunks(RunAnalysis.Counts counts) {
    if (counts.chunks() == 0 && counts.ok() > 0) {
      return List.of(new Fact("chunks", "none, " + Distribution.NOT_STREAMED));
    }
    return List.of(
        new Fact("chunks", Numbers.count(counts.chunks())),
        new Fact("with several tokens", Numbers.count(counts.mergedChunks())),
        new Fact("tokens unknown", Numbers.count(counts.unknownChunks())),
        new Fact("read together", Numbers.count(counts.coalescedChunks())));
  }

  private static Block.Table shape(List<LoadAccount.ShapeRow> shape) {
    List<Column> columns =
        List.of(
            Column.name("mean per request"), Column.words("from").spare(1),
            Column.number("client"), Column.number("engine"), Column.number("engine P50"),
            Column.number("engine P95"));
    List<Block.Row> rows =
        shape.stream()
            .map(
                row ->
                    Block.Row.of(
                        Cell.of(row.quantity()), Cell.metric(row.source()),
                        Cell.number(row.client()), Cell.number(row.engine()),
                        bracket(row, 0.5), bracket(row, 0.95)))
            .toList();
    return new Block.Table("Shape of the workload", false, columns, rows);
  }

  private static Cell bracket(LoadAccount.ShapeRow row, double level) {
    return row.engineBrackets().stream()
        .filter(bracket -> bracket.level() == level)
        .map(LoadSection::cell)
        .findFirst()
        .orElse(Cell.NONE);
  }

  private static Cell cell(Bracket bracket) {
    return bracket.low() instanceof Figure.Known low
        ? Cell.of(
            bracket.high(),
            high -> "(" + Numbers.count(low.value()) + ", " + Numbers.count(high) + "]")
        : Cell.count(bracket.high() instanceof Figure.Known ? bracket.low() : bracket.high());
  }
}
