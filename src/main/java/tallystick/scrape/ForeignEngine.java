package tallystick.scrape;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tallystick.runrecord.Sample;

/** An inference engine that is not vLLM, known by the names of its metrics. */
public enum ForeignEngine {
  /** Its escaped spelling too, as prometheus_client writes it for OpenMetrics. */
  SGLANG("SGLang", "sglang", "sglang:", "sglang_"),
  TEXT_GENERATION_INFERENCE("Text Generation Inference", "tgi", "tgi_"),
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

  /** The engine whose families these are; empty where they are vLLM's too, or nobody's known. */
  public static Optional<ForeignEngine> among(List<Sample> samples) {
    if (samples.stream().anyMatch(sample -> EngineProbe.isOfEngine(sample.series().name()))) {
      return Optional.empty();
    }
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

  /** What works with it, for one who asked for a run against it. */
  String wayOut(String url) {
    return "they are " + title + "'s, and the engine's side is read from vLLM only. The client's"
        + " side works with every OpenAI-compatible server: run with --no-scrape. To keep these"
        + " metrics raw in the record, add --set 'exporters=[{name: " + exporterName
        + ", url: \"" + url + "\"}]'";
  }
}
