package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.TraceJoin;
import tallystick.analysis.result.TraceJoin.Part;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;

/** The join of spans and requests by trace. */
public final class TraceSection {
  private static final List<Column> COLUMNS =
      List.of(
          Column.name("per request"), Column.number("n"), Column.number("mean"),
          Column.number("P50").spare(1), Column.number("P95"), Column.number("P99").spare(2),
          Column.number("max"), Column.number("histogram"), Column.number("difference"));

  private TraceSection() {}

  /** Nothing where the run took no traces. */
  public static Section of(TraceJoin traces) {
    List<Block> blocks = new ArrayList<>();
    if (traces.listened()) {
      blocks.add(new Block.Text(Tone.MUTED, sentence(traces)));
      if (traces.available()) {
        List<Block.Row> rows = traces.parts().stream().map(TraceSection::row).toList();
        blocks.add(new Block.Table("Request by request", false, COLUMNS, rows));
      }
      if (!traces.reception().isEmpty()) {
        blocks.add(new Block.Text(Tone.MUTED, "Receiver: " + traces.reception() + "."));
      }
    }
    return Section.of("traces", "Request by request (traces)", blocks);
  }

  private static String sentence(TraceJoin traces) {
    if (!traces.available()) {
      return "n/a (" + traces.absence() + ")";
    }
    String rest =
        traces.unmatchedSpans() == 0
            ? ""
            : "; " + Numbers.count(traces.unmatchedSpans())
                + " spans belong to no request of this run";
    return Wording.stamped(
        traces.stamp(),
        Numbers.count(traces.joined()) + " of " + Numbers.count(traces.requests())
            + " requests joined to the engine's own span by trace id" + rest);
  }

  private static Block.Row row(Part part) {
    return Block.Row.of(
        Cell.of(name(part)),
        Cell.of(Numbers.count(part.samples().count())),
        Cell.latency(part.samples().mean()),
        Cell.latency(part.samples().percentile(0.5)),
        Cell.latency(part.samples().percentile(0.95)),
        Cell.latency(part.samples().percentile(0.99)),
        Cell.latency(part.samples().maximum()),
        Cell.latency(part.histogramMean()),
        Cell.latency(part.difference()));
  }

  private static String name(Part part) {
    return switch (part.name()) {
      case TTFT_OUTSIDE -> "TTFT, client less engine";
      case E2E_OUTSIDE -> "E2E, client less engine";
      case TTFT -> "TTFT in the engine";
      case E2E -> "E2E in the engine";
      case API_SERVER, QUEUE, PREFILL, DECODE, INFERENCE -> Wording.name(part.name());
    };
  }
}
