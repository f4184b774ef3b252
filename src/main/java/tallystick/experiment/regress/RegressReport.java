package tallystick.experiment.regress;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.analysis.result.Change;
import tallystick.experiment.Journal;
import tallystick.runrecord.WholeFile;

/**
 * What a comparison says, for whoever shows it.
 *
 * @param command that was asked
 * @param title the scenario's name
 * @param base what the base is, in words
 * @param candidate what the candidate is
 * @param repeats pairs that were asked for
 * @param time how long it took, in words; empty for recorded runs
 * @param regression the verdict and its evidence
 * @param noise of this installation, in words; empty where it is not known
 * @param cautions what a reader must know beside the figures
 * @param baseRuns the figures of the base's runs
 * @param candidateRuns the figures of the candidate's
 * @param folder where the files of it lie; empty where none does
 */
public record RegressReport(
    String command,
    String title,
    String base,
    String candidate,
    int repeats,
    String time,
    Regression regression,
    String noise,
    List<String> cautions,
    List<RunFigures> baseRuns,
    List<RunFigures> candidateRuns,
    Path folder) {
  private static final int FORMAT = 1;

  /** What no order of runs can take out of an effect. */
  public static final String BASE_OF_A_FILE =
      "the base is a file: what the machine changed since then is in the effect";

  /** The file of all figures in an experiment's folder. */
  public static final String FILE = "comparison.json";

  public RegressReport {
    cautions = List.copyOf(cautions);
    baseRuns = List.copyOf(baseRuns);
    candidateRuns = List.copyOf(candidateRuns);
  }

  /** The runs as pairs, to judge them otherwise. */
  public RegressionJudge.Runs pairs() {
    return new RegressionJudge.Runs(
        baseRuns, candidateRuns, true, regression.design().candidateFirst(), 0, 0);
  }

  /**
   * Writes every figure as JSON.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    WholeFile.write(file, Journal.text(figures()));
  }

  /**
   * The same as text.
   *
   * @throws IOException if a figure cannot be written
   */
  public String json() throws IOException {
    return Journal.text(figures());
  }

  private Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("format_version", FORMAT);
    all.put("scenario", title);
    all.put("base", base);
    all.put("candidate", candidate);
    all.put("verdict", regression.verdict().name().toLowerCase(Locale.ROOT));
    all.put("repeats_asked", repeats);
    all.put("time", time);
    all.put("metrics", regression.metrics());
    all.put("changes", regression.changes().stream().map(RegressReport::change).toList());
    all.put("differences", regression.differences());
    all.put("unlike", regression.unlike());
    all.put("design", regression.design());
    all.put("pile_up", regression.pileUp());
    all.put("noise", noise);
    all.put("cautions", cautions);
    all.put("base_runs", baseRuns);
    all.put("candidate_runs", candidateRuns);
    return all;
  }

  private static Map<String, Object> change(Change change) {
    List<Map<String, Object>> parts = new ArrayList<>();
    parts.add(part(change.whole()));
    change.parts().forEach(part -> parts.add(part(part)));
    return Map.of("quantity", change.quantity().code(), "parts", parts);
  }

  private static Map<String, Object> part(Change.Part part) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("part", part.name().code());
    all.put("base_seconds", part.reference().orNaN());
    all.put("candidate_seconds", part.judged().orNaN());
    all.put("rise_seconds", part.rise().value().orNaN());
    all.put("rise_low_seconds", part.rise().low().orNaN());
    all.put("rise_high_seconds", part.rise().high().orNaN());
    all.put("grew", part.grew());
    return all;
  }
}
