package tallystick.experiment.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What a deployment starts its engine with.
 *
 * @param place which of the pod's containers it is
 * @param container that container's name
 * @param args the words after its command
 * @param generation grows with each change of the deployment
 * @param available how many of its pods are ready
 */
record DeploymentArgs(
    int place, String container, List<String> args, long generation, int available) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SECRET = Pattern.compile("(?i)(key|token|secret|password)$");

  /**
   * As kubectl prints a deployment.
   *
   * @param wanted the container's name; may be empty where there is only one
   * @throws IOException if it is none
   * @throws IllegalArgumentException if it cannot be a bench
   */
  static DeploymentArgs of(String json, String namespace, String name, Optional<String> wanted)
      throws IOException {
    JsonNode deployment = JSON.readTree(json);
    if (!deployment.at("/kind").asText().equals("Deployment")
        || !deployment.at("/metadata/name").asText().equals(name)
        || !deployment.at("/metadata/namespace").asText().equals(namespace)) {
      throw new IOException(
          "kubectl showed something else than the deployment " + name + " in namespace "
              + namespace + "; nothing is changed");
    }
    int replicas = deployment.at("/spec/replicas").asInt(1);
    if (replicas != 1) {
      throw new IllegalArgumentException(
          "the deployment " + name + " has " + replicas
              + " replicas; one engine is measured: scale it to 1");
    }
    JsonNode containers = deployment.at("/spec/template/spec/containers");
    int place = place(containers, name, wanted);
    List<String> args = new ArrayList<>();
    containers.path(place).path("args").forEach(arg -> args.add(arg.asText()));
    return new DeploymentArgs(
        place, containers.path(place).path("name").asText(), List.copyOf(args),
        deployment.at("/metadata/generation").asLong(),
        deployment.at("/status/availableReplicas").asInt(0));
  }

  private static int place(JsonNode containers, String deployment, Optional<String> wanted) {
    List<String> names = new ArrayList<>();
    containers.forEach(one -> names.add(one.path("name").asText()));
    if (wanted.isEmpty() && names.size() == 1) {
      return 0;
    }
    int place = wanted.map(names::indexOf).orElse(-1);
    if (place < 0) {
      throw new IllegalArgumentException(
          "the deployment " + deployment + " has the containers " + names
              + ": name the engine's with --container");
    }
    return place;
  }

  /**
   * The args with these values; a setting is changed where it stands, never added.
   *
   * @throws IllegalArgumentException if it does not stand there once, with a value
   */
  List<String> with(Map<String, String> settings) {
    List<String> changed = new ArrayList<>(args);
    settings.forEach((name, value) -> set(changed, "--" + name.replace('_', '-'), value));
    return changed;
  }

  private void set(List<String> changed, String flag, String value) {
    List<Integer> places =
        IntStream.range(0, args.size())
            .filter(i -> flag(args.get(i)).equals(flag))
            .boxed()
            .toList();
    if (places.size() != 1) {
      throw new IllegalArgumentException(
          "container " + container + " has " + flag
              + (places.isEmpty() ? " not in its args" : " more than once in its args")
              + ": write it there once, with the value of today, so that it can be changed and"
              + " put back");
    }
    int at = places.getFirst();
    if (args.get(at).contains("=")) {
      changed.set(at, args.get(at).substring(0, args.get(at).indexOf('=') + 1) + value);
    } else if (at + 1 < args.size() && !args.get(at + 1).startsWith("--")) {
      changed.set(at + 1, value);
    } else {
      throw new IllegalArgumentException(
          "container " + container + " has " + flag + " without a value: it is a switch");
    }
  }

  /** The args for a reader, on one line: the values of flags that hold a secret are left out. */
  String shown() {
    return shown(args);
  }

  /** The same of other args. */
  static String shown(List<String> args) {
    List<String> words = new ArrayList<>();
    boolean isSecret = false;
    for (String word : String.join(" ", args).split(" ")) {
      if (word.startsWith("-")) {
        isSecret = SECRET.matcher(flag(word)).find();
        words.add(isSecret && word.contains("=") ? flag(word) + "=…" : word);
      } else {
        words.add(isSecret ? "…" : word);
      }
    }
    return String.join(" ", words);
  }

  private static String flag(String arg) {
    int equals = arg.indexOf('=');
    return (equals < 0 ? arg : arg.substring(0, equals)).replace('_', '-');
  }

  /** A JSON patch from these args to others; it fails where somebody else has changed them. */
  String patch(List<String> others) {
    String path = "/spec/template/spec/containers/" + place;
    ArrayNode patch = JSON.createArrayNode();
    step(patch, "test", path + "/name").put("value", container);
    step(patch, "test", path + "/args").set("value", JSON.valueToTree(args));
    step(patch, "replace", path + "/args").set("value", JSON.valueToTree(others));
    return patch.toString();
  }

  private static ObjectNode step(ArrayNode patch, String what, String path) {
    return patch.addObject().put("op", what).put("path", path);
  }
}
