package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.runrecord.Sample;

/** In every format, a parser that is used again reads a changed scrape as a new parser does. */
class ReusedParserTest {
  private static final int TARGETS = 45;
  private static final int SCRAPES = 40;
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

  private static final String[] VALUES = {
    "0", "1", "2", "12", "1.5", "-3", "+4", "1e3", "NaN", "+Inf", "-Inf", "0.000", "x", "", "1 ",
    " 1", "\t7", "0x1"
  };
  private static final String[] LABELS = {
    "", "{}", "{a=\"1\"}", "{a=\"12\"}", "{a=\"1\",b=\"\\\"\"}", "{a=\"\\\\\"}", "{a=\"\\n }\"}",
    "{a=\"é€\"}", "{a=\"#\"}", "{a=\"1\",}", " {a=\"1\"}", "{ a = \"1\" }", "{a=\"1\"", "{a='1'}",
    "{\"quoted.name\",a=\"1\"}"
  };
  private static final String[] NAMES = {
    "a", "ab", "a_total", "b_total", "h_bucket", "h_sum", "h_count", "h_created", "vllm:x", "9", ""
  };
  private static final String[] TYPES = {
    "counter", "gauge", "histogram", "summary", "untyped", "unknown", "info", "nonsense"
  };

  /** What a target's scrapes are written in. */
  enum Format {
    TEXT("text/plain; version=0.0.4", "\n", true),
    TEXT_OF_WINDOWS("text/plain; version=0.0.4", "\r\n", true),
    OPEN(OPEN_METRICS, "\n", true),
    OPEN_WITHOUT_LAST_FEED(OPEN_METRICS, "\n", false),
    OPEN_OF_WINDOWS(OPEN_METRICS, "\r\n", true);

    private final String contentType;
    private final String lineEnd;
    private final boolean endsItsLastLine;

    Format(String contentType, String lineEnd, boolean endsItsLastLine) {
      this.contentType = contentType;
      this.lineEnd = lineEnd;
      this.endsItsLastLine = endsItsLastLine;
    }

    private boolean isOpen() {
      return contentType.equals(OPEN_METRICS);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a 1 | a 2",
        "a 1 | a  2",
        "a 1 | a {x=\"y\"} 2",
        "a 1 | a \t2",
        "a{x=\"1\"} 1 7 | a{x=\"1\"} 2 7",
        "a_total 1 # {t=\"1\"} 1 | a_total 2 # {t=\"1\"} 1"
      })
  void readsALineOfWhichOnlyTheValueChanged(String before, String after) {
    for (Format format : Format.values()) {
      ExpositionParser used = new ExpositionParser();
      for (String line : List.of(before, after, before)) {
        byte[] body = body(List.of(line), format);
        assertThat(read(used, body, format, false)).as(format + " " + line)
            .isEqualTo(read(new ExpositionParser(), body, format, false));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void readsMutatedScrapesLikeANewParser(Format format) {
    int good = 0;
    for (int seed = 0; seed < TARGETS; seed++) {
      Random random = new Random(seed);
      ExpositionParser used = new ExpositionParser();
      // Some targets stay well-formed, so that the parser is in the middle of its fast path.
      int wildness = seed % 3;
      List<String> lines = target(random, format);
      for (int scrape = 0; scrape < SCRAPES; scrape++) {
        byte[] body = cut(body(lines, format), random, wildness);
        boolean hasTimes = seed % 2 == 1;
        Object fresh = read(new ExpositionParser(), body, format, hasTimes);
        Object again = read(used, body, format, hasTimes);
        if (!again.equals(fresh)) {
          String text = new String(body, StandardCharsets.UTF_8);
          assertThat(again).as("seed %d, scrape %d: %s", seed, scrape, text).isEqualTo(fresh);
        }
        good += fresh instanceof String ? 0 : 1;
        lines = mutated(lines, random, wildness, format);
      }
    }
    if (format != Format.OPEN_OF_WINDOWS) {
      assertThat(good).as("scrapes that are no refusal").isGreaterThan(TARGETS * SCRAPES / 8);
    }
  }

  @ParameterizedTest
  @CsvSource({"11", "12", "13"})
  void readsATargetThatChangesItsFormatLikeANewParser(int seed) {
    Random random = new Random(seed);
    ExpositionParser used = new ExpositionParser();
    List<String> lines = target(random, Format.TEXT);
    for (int scrape = 0; scrape < 400; scrape++) {
      Format format = Format.values()[random.nextInt(Format.values().length)];
      byte[] body = body(lines, format);
      assertThat(read(used, body, format, false))
          .isEqualTo(read(new ExpositionParser(), body, format, false));
      lines = mutated(lines, random, scrape % 3, format);
    }
  }

  private static List<String> target(Random random, Format format) {
    List<String> lines = new ArrayList<>();
    lines.add("# TYPE a gauge");
    lines.add("# TYPE b counter");
    lines.add("# HELP b words \\n and more");
    lines.add("# TYPE h histogram");
    for (int i = 0; i < 12; i++) {
      lines.add("a{i=\"" + i + "\"} " + random.nextInt(5));
      lines.add("h_bucket{i=\"" + i + "\",le=\"1.0\"} " + random.nextInt(5));
    }
    lines.add("b_total{i=\"é\"} 3" + (format.isOpen() ? " # {trace=\"x y\"} 1 2" : " 1000"));
    return lines;
  }

  private static List<String> mutated(
      List<String> lines, Random random, int wildness, Format format) {
    List<String> next = new ArrayList<>(lines);
    for (int i = random.nextInt(5); i > 0; i--) {
      int at = random.nextInt(next.size());
      int kind = random.nextInt(wildness == 0 ? 5 : 10);
      switch (kind) {
        case 0, 1, 2 -> next.set(at, withValue(next.get(at), random, wildness));
        case 3 -> next.add(next.remove(at));
        case 4 -> next.add(at, "n" + random.nextInt(99) + " " + random.nextInt(3));
        case 5 -> next.remove(at);
        case 6 -> next.add(at, next.get(random.nextInt(next.size())));
        case 7 -> next.set(at, sample(random, format));
        case 8 -> next.set(at, "# TYPE " + one(NAMES, random) + " " + one(TYPES, random));
        default -> next.set(at, odd(next.get(at), random));
      }
    }
    if (next.isEmpty() || (wildness > 0 && random.nextInt(4) == 0)) {
      return target(random, format);
    }
    return next;
  }

  private static String withValue(String line, Random random, int wildness) {
    if (line.startsWith("#")) {
      return line;
    }
    int blank = line.indexOf("} ") < 0 ? line.indexOf(' ') : line.indexOf("} ") + 1;
    String value = one(VALUES, random, wildness == 0 ? 9 : VALUES.length);
    return blank < 0 ? line : line.substring(0, blank + 1) + value;
  }

  private static String sample(Random random, Format format) {
    String time = random.nextInt(3) == 0 ? " " + random.nextInt(9) : "";
    String exemplar = format.isOpen() && random.nextInt(3) == 0 ? " # {t=\"1\"} 2" : "";
    return one(NAMES, random) + one(LABELS, random) + " " + one(VALUES, random) + time + exemplar;
  }

  private static String odd(String line, Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> "";
      case 1 -> "  " + line;
      case 2 -> line + " ";
      case 3 -> line.replaceFirst(" ", "  ");
      case 4 -> line + "\r";
      default -> line.isEmpty() ? "#" : line.substring(0, random.nextInt(line.length()));
    };
  }

  private static String one(String[] choices, Random random) {
    return one(choices, random, choices.length);
  }

  private static String one(String[] choices, Random random, int count) {
    return choices[random.nextInt(count)];
  }

  private static byte[] body(List<String> lines, Format format) {
    String text = String.join(format.lineEnd, lines);
    String end = format.isOpen() ? "\n# EOF" : "";
    return (text + end + (format.endsItsLastLine ? format.isOpen() ? "\n" : format.lineEnd : ""))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] cut(byte[] body, Random random, int wildness) {
    return wildness == 2 && random.nextInt(6) == 0
        ? Arrays.copyOf(body, random.nextInt(body.length + 1))
        : body;
  }

  /** The samples, with their times if asked for, and how many stood twice; or the refusal. */
  private static Object read(
      ExpositionParser parser, byte[] body, Format format, boolean withTimes) {
    try {
      if (!withTimes) {
        List<Sample> samples = parser.parse(body, format.contentType);
        return List.of(samples, parser.duplicates());
      }
      List<Object> all = new ArrayList<>();
      parser.parse(body, format.contentType, (sample, time) -> all.add(List.of(sample, time)));
      return all;
    } catch (ExpositionException e) {
      return e.getMessage();
    }
  }
}
