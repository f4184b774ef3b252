package tallystick.scenario;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tallystick.reach.SecretPlace;

/**
 * Where a scenario says that secrets are: {@code {env: NAME}} or {@code {file: PATH}} in the place
 * of a value.
 *
 * @param headers by the header's name
 * @param urlParameters by the parameter's name
 * @param fields of request bodies; which field has which place stands in the body itself
 */
public record SecretPlaces(
    Map<String, SecretPlace> headers,
    Map<String, SecretPlace> urlParameters,
    List<SecretPlace> fields) {
  /** No secret but the API key. */
  public static final SecretPlaces NONE = new SecretPlaces(Map.of(), Map.of(), List.of());

  public SecretPlaces {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    urlParameters = Collections.unmodifiableMap(new LinkedHashMap<>(urlParameters));
    fields = List.copyOf(fields);
  }

  /** Every place, each once. */
  public List<SecretPlace> places() {
    return Stream.of(headers.values(), urlParameters.values(), fields)
        .flatMap(Collection::stream)
        .distinct()
        .toList();
  }

  Map<SecretPlace, String> all(Map<String, String> environment) {
    Map<SecretPlace, String> all = new HashMap<>();
    places().forEach(place -> all.put(place, place.read(environment)));
    return all;
  }

  /** A header holds one line of printable ASCII; no message repeats it. */
  Map<String, String> headers(Map<String, String> environment) {
    Map<String, String> values = new TreeMap<>();
    headers.forEach(
        (name, place) -> {
          String value = place.read(environment);
          if (!value.matches("[\\x20-\\x7E]+")) {
            throw new IllegalArgumentException(
                place + ": what it holds cannot be sent as the header " + name
                    + ", which is one line of ASCII letters, digits and signs");
          }
          values.put(name, value);
        });
    return values;
  }

  Map<String, String> urlParameters(Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    urlParameters.forEach((name, place) -> values.put(name, place.read(environment)));
    return values;
  }
}
