package tallystick;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A test of what reads foreign bytes: it crashes at none, hangs at none, and stays in bounds. */
public interface FuzzedReader {
  /** The reader with its inputs. */
  Fuzz fuzz() throws IOException;

  /** Texts that grow; what each makes the reader do must grow no faster. */
  List<Fuzz.Growing> growing();

  @Test
  default void anyInputIsReadOrRefused() throws Exception {
    fuzz().briefly();
  }

  @Test
  @Tag("stress")
  default void anyInputIsReadOrRefusedForLong() throws Exception {
    fuzz().forLong();
  }

  @Test
  default void theCorpusIsReadOrRefused() throws Exception {
    fuzz().corpus();
  }

  @Test
  default void workGrowsWithTheInput() throws Exception {
    fuzz().growsInLine(growing());
  }
}
