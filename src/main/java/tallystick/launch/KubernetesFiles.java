package tallystick.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The files of a run in Kubernetes: an Indexed Job with a pod for each shard, a JobSet in its place
 * for whoever has that operator, and a Job that joins the records. The shards agree when to begin.
 *
 * @param order what is to be launched
 * @param place where in the cluster
 */
public record KubernetesFiles(LaunchOrder order, Place place) {
  /** The variable that holds the key of the targets' API. */
  public static final String API_KEY = "TALLY_API_KEY";

  private static final int JOB_POD = 4;
  private static final int JOBSET_POD = 12;

  /**
   * Where the pods run.
   *
   * @param namespace of everything
   * @param image a container image of tally
   * @param claim name of the volume claim that holds the results; every node writes to it
   * @param secrets variables whose values stand in secrets of the cluster
   * @param cpu of each pod, asked for and not exceeded
   * @param memory the same
   */
  public record Place(
      String namespace,
      String image,
      String claim,
      List<SecretVariable> secrets,
      String cpu,
      String memory) {
    public Place {
      secrets = List.copyOf(secrets);
    }
  }

  /**
   * A variable of the pods that sends a secret of the cluster.
   *
   * @param name the variable's
   * @param secret the secret's
   * @param key which of its values
   */
  public record SecretVariable(String name, String secret, String key) {}

  /** Writes them into a folder. */
  public List<Path> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Map<String, String> values = values();
    List<String> run = new ArrayList<>(List.of("run", "/scenario/scenario.yaml"));
    // What looks like a variable of Kubernetes is none of the user's.
    order.arguments().forEach(word -> run.add(word.replace("$(", "$$(")));
    // Kubernetes fills the index in here, but not in a value of env.
    run.addAll(
        List.of(
            "--shard", "$(JOB_COMPLETION_INDEX)/" + order.shards(),
            "--start-at", "ready", "--out", results("shards")));
    if (place.secrets().stream().anyMatch(one -> one.name().equals(API_KEY))) {
      run.addAll(List.of("--api-key-env", API_KEY));
    }
    List<String> merge = List.of("merge", results("shards"), "--out", results("run"));
    List<Path> written = new ArrayList<>();
    written.add(folder.resolve("scenario.yaml"));
    Files.copy(
        order.scenario(), written.get(0), StandardCopyOption.REPLACE_EXISTING);
    written.add(write(folder, "kustomization.yaml", values));
    written.add(write(folder, "job.yaml", with(values, JOB_POD, run, true)));
    written.add(write(folder, "jobset.yaml", with(values, JOBSET_POD, run, true)));
    written.add(write(folder, "merge.yaml", with(values, JOB_POD, merge, false)));
    return List.copyOf(written);
  }

  private String results(String part) {
    return "/results/" + order.name() + "/" + part;
  }

  private Map<String, String> values() {
    return Map.of(
        "name", order.name(), "namespace", place.namespace(), "workload", "job.yaml",
        "count", Integer.toString(order.shards()), "image", quoted(place.image()),
        "claim", quoted(place.claim()), "cpu", quoted(place.cpu()),
        "memory", quoted(place.memory()));
  }

  private Map<String, String> with(
      Map<String, String> values, int indent, List<String> arguments, boolean sends) {
    Map<String, String> pod = new HashMap<>(values);
    pod.put(
        "arguments",
        arguments.stream()
            .map(KubernetesFiles::quoted)
            .collect(Collectors.joining(", ", "[", "]")));
    pod.put(
        "key",
        sends
            ? place.secrets().stream()
                .map(KubernetesFiles::key)
                .collect(Collectors.joining("\n"))
            : "");
    Map<String, String> all = new HashMap<>(values);
    String text = Template.fill("pod.yaml", pod).replaceAll("(?m)^ *\n", "");
    all.put("pod", Template.indent(indent, text));
    return all;
  }

  private static String key(SecretVariable variable) {
    return Template.indent(
        8,
        """
        - name: %s
          valueFrom:
            secretKeyRef:
              name: %s
              key: %s
        """
            .formatted(
                quoted(variable.name()), quoted(variable.secret()), quoted(variable.key())));
  }

  private static Path write(Path folder, String file, Map<String, String> values)
      throws IOException {
    return Files.writeString(folder.resolve(file), Template.fill(file, values));
  }

  /** A YAML string; whatever it holds, it stays one. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      if (letter < ' ') {
        quoted.append("\\x%02x".formatted((int) letter));
      } else {
        quoted.append(letter == '"' || letter == '\\' ? "\\" : "").append(letter);
      }
    }
    return quoted.append('"').toString();
  }
}
