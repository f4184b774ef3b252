package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import tallystick.analysis.result.RunAnalysis;

/** One rendering of an analysis. Shows figures and computes none. */
public interface ReportFormat {

  /** Name of the file in the report's folder, for example {@code summary.md}. */
  String fileName();

  /**
   * Writes the whole rendering; the caller closes the stream.
   *
   * @throws IOException if the stream does not take it
   */
  void write(RunAnalysis analysis, OutputStream out) throws IOException;
}
