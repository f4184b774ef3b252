package tallystick.scrape;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import tallystick.runrecord.Sample;

/** Times the parser; {@code bench/scrape-parser/run.sh} sets it beside Python's and Go's. */
final class ParserSpeed {
  private static final String TEXT = "text/plain; version=0.0.4";

  private final List<byte[]> bodies;
  private final double seconds;

  private ParserSpeed(List<byte[]> bodies, double seconds) {
    this.bodies = bodies;
    this.seconds = seconds;
  }

  /** Arguments: two expositions of one target one after the other, and seconds for each case. */
  public static void main(String[] arguments) throws IOException {
    byte[] first = Files.readAllBytes(Path.of(arguments[0]));
    byte[] second = Files.readAllBytes(Path.of(arguments[1]));
    double seconds = Double.parseDouble(arguments[2]);
    new ParserSpeed(List.of(first), seconds).time("tally, a new parser each time", false);
    new ParserSpeed(List.of(first, second), seconds).time("tally, a third of values new", true);
    new ParserSpeed(List.of(first), seconds).time("tally, nothing changed", true);
  }

  private void time(String name, boolean keepsParser) throws ExpositionException {
    ExpositionParser parser = new ExpositionParser();
    long best = Long.MAX_VALUE;
    List<Sample> samples = List.of();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    for (int i = 0; System.nanoTime() < end; i++) {
      byte[] body = bodies.get(i % bodies.size());
      long start = System.nanoTime();
      ExpositionParser used = keepsParser ? parser : new ExpositionParser();
      samples = used.parse(body, TEXT);
      best = Math.min(best, System.nanoTime() - start);
    }
    double megabytesPerSecond = bodies.getFirst().length / 1e6 / (best / 1e9);
    System.out.printf(
        Locale.ROOT, "%-35s %7.1f MB/s   (%d samples)%n", name, megabytesPerSecond,
        samples.size());
  }
}
