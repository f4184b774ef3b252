package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;

/** A parser that has seen earlier scrapes must read exactly what a new parser reads. */
class ExpositionReuseTest {
  private static final String TEXT = "text/plain";

  private final ExpositionParser parser = new ExpositionParser();

  @Test
  void givesTheSameSampleForAnUnchangedLine() throws ExpositionException {
    List<Sample> first = parse("# TYPE a gauge\na{x=\"1\"} 1\nb 2\n");
    List<Sample> second = parse("# TYPE a gauge\na{x=\"1\"} 1\nb 3\n");
    assertThat(second.get(0)).isSameAs(first.get(0));
    assertThat(second.get(1).series()).isSameAs(first.get(1).series());
    assertThat(second.get(1).value()).isEqualTo(3);
  }

  @Test
  void noticesATypeThatChanged() throws ExpositionException {
    parse("# TYPE a gauge\na 1\n");
    assertThat(parse("# TYPE a counter\na 1\n").getFirst().series().type())
        .isEqualTo(Series.Type.COUNTER);
  }

  @Test
  void noticesATypeLineThatWentAway() throws ExpositionException {
    parse("# TYPE h histogram\nh_sum 1\nh_count 1\nh_bucket 4\n");
    assertThat(parse("h_sum 1\nh_count 1\nh_bucket 5\n"))
        .allMatch(sample -> sample.series().type() == Series.Type.UNTYPED);
  }

  @Test
  void noticesALabelThatGrewAtItsEnd() throws ExpositionException {
    parse("m{a=\"1\"} 1\n");
    assertThat(parse("m{a=\"12\"} 1\n").getFirst().series().label("a")).isEqualTo("12");
  }

  @Test
  void readsTheNextScrapeAfterAMalformedOne() throws ExpositionException {
    parse("a 1\nb 2\n");
    byte[] malformed = "a 1\nb x\n".getBytes(StandardCharsets.UTF_8);
    assertThat(read(parser, malformed)).isInstanceOf(String.class);
    assertThat(parse("a 1\nb 2\n")).extracting(Sample::value).containsExactly(1.0, 2.0);
  }

  @Test
  void readsRecordedScrapesInAnyOrderLikeANewParser() throws IOException {
    List<byte[]> bodies = new ArrayList<>();
    for (String name :
        List.of("metrics-idle", "metrics-after1", "metrics-preempt-during0", "metrics-mp1")) {
      bodies.add(Fixtures.bytes(name + ".prom"));
    }
    bodies.add(Fixtures.bytes("dynamo_worker_metrics.txt"));
    Random random = new Random(7);
    for (int i = 0; i < 40; i++) {
      byte[] body = bodies.get(random.nextInt(bodies.size()));
      assertThat(parser.parse(body, TEXT)).isEqualTo(new ExpositionParser().parse(body, TEXT));
    }
  }

  @Test
  void readsMutatedScrapesLikeANewParser() throws IOException {
    Random random = new Random(11);
    List<String> lines =
        new String(Fixtures.bytes("metrics-mp1.prom"), StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < 300; i++) {
      byte[] body = mutate(lines, random);
      Object fresh = read(new ExpositionParser(), body);
      assertThat(read(parser, body)).isEqualTo(fresh);
    }
  }

  private static byte[] mutate(List<String> lines, Random random) {
    List<String> copy = new ArrayList<>(lines.subList(0, 80));
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(copy.size());
      switch (random.nextInt(6)) {
        case 0 -> copy.remove(at);
        case 1 -> copy.add(at, copy.get(random.nextInt(copy.size())));
        case 2 -> copy.set(at, copy.get(at) + random.nextInt(10));
        case 3 -> copy.set(at, copy.get(at).replace("histogram", "counter"));
        case 4 -> copy.set(at, copy.get(at).replace('"', "\"'}".charAt(random.nextInt(3))));
        default -> copy.add(at, "new_series{a=\"" + random.nextInt(3) + "\"} 1");
      }
    }
    return (String.join("\n", copy) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The samples, or the words of the refusal. */
  private static Object read(ExpositionParser parser, byte[] body) {
    try {
      return parser.parse(body, TEXT);
    } catch (ExpositionException e) {
      return e.getMessage();
    }
  }

  private List<Sample> parse(String body) throws ExpositionException {
    return parser.parse(body.getBytes(StandardCharsets.UTF_8), TEXT);
  }
}
