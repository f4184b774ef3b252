package tallystick.scrape;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tallystick.runrecord.Sample;

/** An inference engine whose metrics have no meaning here, known by how their names begin. */
public enum ForeignEngine {
  TEXT_GENERATION_INFERENCE("Text Generation Inference", "tgi", "tgi_"),
  /** Its escaped spelling too, as prometheus_client writes it for OpenMetrics. */
  LLAMA_CPP("llama.cpp", "llamacpp", "llamacpp:", "llamacpp_"),
  TRITON("NVIDIA Triton", "triton", "nv_");

  private final String title;
  private final String exporterName;
  private final List<String> prefixes;

  ForeignEngine(String title, String exporterName, String... prefixes) {
    this.title = title;
    this.exporterName = exporterName;
    this.prefixes = List.of(prefixes);
  }

  /** The engine whose metrics are among these; empty where it is nobody's known. */
  public static Optional<ForeignEngine> among(List<Sample> samples) {
    return Arrays.stream(values())
        .filter(engine -> samples.stream().anyMatch(engine::shows))
        .findFirst();
  }

  private boolean shows(Sample sample) {
    return prefixes.stream().anyMatch(sample.series().name()::startsWith);
  }

  /** What it is called. */
  public String title() {
    return title;
  }

  /** A name for it among a scenario's exporters. */
  String exporterName() {
    return exporterName;
  }
}
