package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Finding.Severity;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.runrecord.EngineFamily;
import tallystick.scenario.Formatted;

/**
 * What rows that differ most likely mean.
 *
 * @param isClosed whether one engine was idle at both ends; otherwise a difference needs no cause
 * @param counting how the engine counts
 */
record LedgerDiagnosis(
    List<Row> rows, ClientTally client, double windowSeconds, boolean isClosed,
    EngineFamily.Counting counting) {
  /** Foreign work above this share of ours spoils the engine's figures. */
  private static final double FOREIGN_LIMIT = 0.005;

  /** The findings; empty where every row agrees. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    boolean differs = rows.stream().anyMatch(row -> row.status() == Status.DIFFERS);
    if (isClosed && differs) {
      findings.add(explainDifference());
    } else if (isClosed && unread() > 0) {
      findings.add(finishedUnread(
          "Nothing to do: no request is missing. The engine worked on after the client had"
              + " left."));
    }
    // Where tokens or first tokens are wrong, what is made of them says nothing about steps.
    boolean areTokensRight =
        rows.stream()
            .noneMatch(
                row -> (row.id() == Id.R2 || row.id() == Id.R4) && row.status() == Status.DIFFERS);
    if (difference(Id.R5) < 0 && areTokensRight && !counting.gapForEachToken()) {
      findings.add(severalTokensInAStep());
    }
    List<String> unchecked =
        rows.stream()
            .filter(row -> row.status() == Status.NOT_CHECKED)
            .map(row -> row.id() + " " + row.quantity())
            .toList();
    if (!unchecked.isEmpty() && unchecked.size() < rows.size()) {
      findings.add(new Finding(Code.LEDGER_PARTLY_CHECKED,
          "Some rows of the ledger could not be checked.", unchecked,
          "Take them as unknown, not as equal."));
    }
    return findings;
  }

  private Finding explainDifference() {
    if (rows.stream()
        .filter(row -> row.status() == Status.DIFFERS)
        .allMatch(row -> row.id().isOfPrefill())) {
      return new Finding(Code.LEDGER_DIFFERS,
          "The prefill pool did not compute each request once; the engines that answer agree.",
          evidence(),
          "Name every prefill engine. A router may send short prompts past them, or twice.");
    }
    double finishes = sumOf(Id.R1);
    double firsts = beyond(Id.R2);
    double prompts = beyond(Id.R3);
    // Many that the client gave up may hide what others finished, but not what others began.
    boolean areMoreBegun = finishes > 0 || unread() > 0 || client.open() > 0;
    if (firsts > 0 && prompts > 0 && areMoreBegun) {
      return foreignTraffic();
    }
    // A template lengthens the prompts of finished requests, too.
    if (finishes == 0 && firsts == 0 && prompts != 0 && !agrees(Id.R7)) {
      return promptsDiffer();
    }
    if (finishes < 0 && firsts < 0) {
      return new Finding(Code.ENGINE_COUNTS_LESS,
          "The engine counted fewer requests than the client finished.", evidence(),
          "Check that metrics_url is the same server, and that it did not restart. Through a"
              + " gateway: switch its cache of answers off, and give --metrics-url once for each"
              + " engine.");
    }
    // What began has its prompt counted, but for engines that count it at the finish.
    boolean isBegunTwice = counting.tokensAtFinish() || !agrees(Id.R3);
    if (finishes == 0 && firsts > 0 && isBegunTwice && client.open() == 0) {
      return new Finding(Code.ENGINE_SIDE_ABORTS,
          "The engine began more requests than it finished, and no client left.", evidence(),
          "Look in the engine's log for aborts, and for retries between client and engine.");
    }
    if (finishes > 0 && firsts == 0 && unread() <= client.open()) {
      return finishedUnread(
          "These are more than could finish before the engine noticed that the client had left."
              + " Does a gateway pass that on? If it does, they are somebody else's.");
    }
    return new Finding(Code.LEDGER_DIFFERS,
        "Client and engine counts differ, and no known cause explains it.", evidence(),
        "Run again on an idle engine; compare the named series by hand.");
  }

  /** Finishes beyond what requests of unknown fate explain; more than none had been left. */
  private double unread() {
    return rows(Id.R1).map(Row::difference).mapToDouble(Figure::orZero).sum()
        - client.unknown()
        - client.completedWithoutReason();
  }

  private Finding finishedUnread(String remedy) {
    return new Finding(Code.FINISHED_UNREAD,
        Formatted.of(
            "The engine finished %.0f requests that the client had stopped reading; %.0f were in"
                + " flight when it stopped.",
            unread(), client.open()),
        evidence(Id.R1), remedy);
  }

  private Finding foreignTraffic() {
    // Who left may have been finished unseen, but no first token is theirs that they lack.
    double requests = client.open() > 0 ? beyond(Id.R2) : Math.max(sumOf(Id.R1), beyond(Id.R2));
    double ofRequests = requests / Math.max(1, client.completed());
    double ofTokens = beyond(Id.R4) / Math.max(1, client.completionTokens());
    boolean spoils = ofRequests > FOREIGN_LIMIT || ofTokens > FOREIGN_LIMIT;
    String rate =
        windowSeconds > 0
            ? Formatted.of(", about %.2f per second", requests / windowSeconds)
            : "";
    return new Finding(Code.FOREIGN_TRAFFIC, spoils ? Severity.INVALID : Severity.WARNING,
        Formatted.of(
            "The engine served %s %.0f requests that this run did not send (%.2f %% of its own%s).",
            client.open() > 0 ? "at least" : "about", requests, ofRequests * 100, rate),
        evidence(),
        "Stop other clients, health checks that generate, and retries; or measure elsewhere.");
  }

  private Finding promptsDiffer() {
    double each = difference(Id.R3) / Math.max(1, client.withFirstToken());
    String constant =
        each == Math.rint(each)
            ? Formatted.of("exactly %.0f tokens for each request", each)
            : Formatted.of("%.3f tokens for each request on average", each);
    return new Finding(Code.PROMPT_TOKENS_DIFFER,
        "Both sides counted the same requests but different prompt tokens: " + constant + ".",
        evidence(),
        "Look for a chat template, another tokenizer or multimodal input: they count differently"
            + " on the two sides.");
  }

  private Finding severalTokensInAStep() {
    double observed = known(Id.R5, Row::engine);
    double tokens = known(Id.R5, Row::client);
    return new Finding(Code.MULTI_TOKEN_STEPS,
        observed > 0
            ? Formatted.of(
                "An engine step makes %.3f tokens on average: its ITL is per step, not per token.",
                tokens / observed)
            : "The engine observed no gaps although it made several tokens for each request.",
        evidence(Id.R5), "");
  }

  private List<String> evidence() {
    return rows.stream()
        .filter(row -> row.status() == Status.DIFFERS)
        .map(LedgerDiagnosis::line)
        .toList();
  }

  private List<String> evidence(Id id) {
    return rows(id).map(LedgerDiagnosis::line).toList();
  }

  private static String line(Row row) {
    return "%s %s: client %s, engine %s (%s)"
        .formatted(
            row.id(), row.quantity(), words(row.client()), words(row.engine()), row.source());
  }

  private static String words(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> {
        boolean whole = known.value() == Math.rint(known.value());
        yield Formatted.of(whole ? "%.0f" : "%.3f", known.value());
      }
      case Figure.Unavailable missing -> "n/a (" + missing.reason() + ")";
    };
  }

  private boolean agrees(Id id) {
    return rows(id)
        .anyMatch(row -> row.status() == Status.EXACT || row.status() == Status.WITHIN_TOLERANCE);
  }

  /** Sum over rows of an id of what lies outside the tolerance. */
  private double sumOf(Id id) {
    return rows(id).mapToDouble(LedgerDiagnosis::excess).sum();
  }

  private double beyond(Id id) {
    return rows(id).mapToDouble(LedgerDiagnosis::excess).findFirst().orElse(0);
  }

  private static double excess(Row row) {
    if (!(row.difference() instanceof Figure.Known difference)) {
      return 0;
    }
    double value = difference.value();
    return value > row.high() ? value - row.high() : Math.min(0, value - row.low());
  }

  private double difference(Id id) {
    return known(id, Row::difference);
  }

  /** The first figure of an id's rows that is known; 0 where none is. */
  private double known(Id id, Function<Row, Figure> of) {
    return rows(id)
        .map(of)
        .filter(Figure.Known.class::isInstance)
        .mapToDouble(Figure::orNaN)
        .findFirst()
        .orElse(0);
  }

  private Stream<Row> rows(Id id) {
    return rows.stream().filter(row -> row.id() == id);
  }
}
