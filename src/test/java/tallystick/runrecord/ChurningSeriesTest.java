package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A target whose labels take new values in every scrape. */
class ChurningSeriesTest {
  private static final int LIMIT = 30;

  private final StringWriter text = new StringWriter();

  private static ScrapeRow scrape(int target, int number, int churning) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < churning; i++) {
      samples.add(sample("churning", "v" + number + "-" + i, i));
    }
    samples.add(sample("steady", "x", number));
    return new ScrapeRow(target, number, number + 1L, samples, "");
  }

  private static Sample sample(String name, String label, double value) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("label", label);
    return new Sample(new Series(name, labels, Series.Type.COUNTER), value);
  }

  @Test
  void aRecordHoldsSoManySeriesOfATargetAndGoesOnWithThose() throws Exception {
    ScrapeRowWriter writer = new ScrapeRowWriter(LIMIT);
    try (JsonGenerator out = RecordJson.MAPPER.createGenerator(text)) {
      for (int number = 0; number < 20; number++) {
        writer.write(scrape(0, number, 10), out);
        out.writeRaw('\n');
        writer.write(scrape(1, number, 0), out);
        out.writeRaw('\n');
      }
    }
    assertThat(writer.isFull(0)).isTrue();
    assertThat(writer.isFull(1)).isFalse();
    assertThat(text.toString().lines().filter(line -> line.contains("\"series\":")))
        .hasSize(LIMIT + 1);
    ScrapeRowReader reader = new ScrapeRowReader();
    ScrapeRow last = null;
    for (String line : text.toString().lines().filter(line -> !line.isBlank()).toList()) {
      byte[] bytes = line.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      ScrapeRow row = reader.read(bytes, 0, bytes.length).orElse(null);
      last = row != null && row.target() == 0 ? row : last;
    }
    assertThat(last.samples()).containsExactly(sample("steady", "x", 19));
  }
}
