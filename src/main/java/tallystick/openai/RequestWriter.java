package tallystick.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.plan.Settings.ClassSettings;
import tallystick.reach.ApiAccess;
import tallystick.reach.SecretPlace;
import tallystick.scenario.Endpoint;
import tallystick.scenario.TokenLimit;

/** Writes request bodies as OpenAI's API and vLLM's additions want them. Immutable. */
public final class RequestWriter {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonFactory JSON = MAPPER.getFactory();

  private final Settings settings;
  private final String model;
  private final PromptWriter prompts;
  private final ApiAccess api;
  private final boolean mayUseTokenIds;
  private final Map<String, Map<String, JsonNode>> extraByClass = new ConcurrentHashMap<>();

  /**
   * A writer for one run, which writes token ids where the endpoint has them.
   *
   * @param api what is at the places that fields of bodies have instead of a secret
   * @throws IllegalArgumentException if the extra body is not a JSON object
   */
  public RequestWriter(Settings settings, String model, PromptWriter prompts, ApiAccess api) {
    this(settings, model, prompts, api, settings.endpoint() == Endpoint.COMPLETIONS);
  }

  private RequestWriter(
      Settings settings, String model, PromptWriter prompts, ApiAccess api,
      boolean mayUseTokenIds) {
    this.api = api;
    this.mayUseTokenIds = mayUseTokenIds;
    this.settings = settings;
    this.model = model;
    this.prompts = prompts;
    extraFields(settings.options().extraBody());
  }

  /** The same for a server that takes only text. */
  public RequestWriter asText(PromptWriter fitted) {
    return new RequestWriter(settings, model, fitted, api, false);
  }

  /**
   * The body of a request.
   *
   * @param history what was said before in the user's conversation; empty for a first turn
   * @param isAlone whether no other turn follows or precedes; a conversation is text from its first
   *     turn on, so that each turn begins with the one before, as the prefix cache wants it
   * @param latestAnswer id of the answer before, which stands for the history where the class says
   *     so; empty for a first turn
   */
  public byte[] body(
      PlannedRequest request, List<Prompt.Message> history, boolean isAlone, String latestAnswer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      ClassSettings own = settings.classOf(request.requestClass());
      out.writeStringField("model", own.model().isEmpty() ? model : own.model());
      boolean isById = own.byResponseId() && !latestAnswer.isEmpty();
      writePrompt(request, isById ? List.of() : history, isAlone && mayUseTokenIds, out);
      if (isById) {
        out.writeStringField("previous_response_id", latestAnswer);
      }
      out.writeNumberField(
          isResponses() ? TokenLimit.OF_RESPONSES : settings.options().tokenLimit().field(),
          request.maxTokens());
      if (settings.options().ignoreEos()) {
        out.writeBooleanField("ignore_eos", true);
      }
      if (request.choices() > 1) {
        out.writeNumberField("n", request.choices());
      }
      out.writeBooleanField("stream", !settings.options().withoutStream());
      if (isResponses()) {
        // The end of an answer tells its usage; what is stored fills the server from run to run.
        out.writeBooleanField("store", own.byResponseId() && !isAlone);
      } else if (!settings.options().withoutUsage() && !settings.options().withoutStream()) {
        // A whole answer has its usage unasked, and servers refuse stream_options without stream.
        writeUsage(out);
      }
      for (Map.Entry<String, JsonNode> field : extra(own).entrySet()) {
        out.writeFieldName(field.getKey());
        out.writeTree(field.getValue());
      }
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private boolean isResponses() {
    return settings.endpoint() == Endpoint.RESPONSES;
  }

  private void writeUsage(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("stream_options");
    out.writeBooleanField("include_usage", true);
    if (settings.options().continuousUsage()) {
      out.writeBooleanField("continuous_usage_stats", true);
    }
    out.writeEndObject();
  }

  /** What the user says in this request, for the history of the next. */
  public List<Prompt.Message> messages(PlannedRequest request) {
    return switch (request.prompt()) {
      case Prompt.Synthetic synthetic ->
          List.of(new Prompt.Message("user", prompts.text(synthetic, request.index())));
      case Prompt.Text text ->
          request.turn() == 0 ? led(text.messages(), request.index()) : text.messages();
    };
  }

  /** A later turn has its conversation's lead in its history already. */
  private List<Prompt.Message> led(List<Prompt.Message> messages, int requestIndex) {
    List<Prompt.Message> all = new ArrayList<>(messages);
    Prompt.Message first = all.get(0);
    all.set(0, new Prompt.Message(first.role(), prompts.lead(requestIndex) + first.content()));
    return all;
  }

  private Map<String, JsonNode> extra(ClassSettings own) {
    return extraByClass.computeIfAbsent(own.name(), key -> extraFields(own.extraBody()));
  }

  private void writePrompt(
      PlannedRequest request, List<Prompt.Message> history, boolean asTokenIds, JsonGenerator out)
      throws IOException {
    if (settings.endpoint().takesMessages()) {
      List<Prompt.Message> all = new ArrayList<>(history);
      all.addAll(messages(request));
      writeMessages(isResponses() ? "input" : "messages", all, out);
    } else if (asTokenIds && request.prompt() instanceof Prompt.Synthetic synthetic) {
      int[] ids = prompts.tokenIds(synthetic, request.index());
      out.writeFieldName("prompt");
      out.writeArray(ids, 0, ids.length);
    } else {
      out.writeStringField("prompt", asText(history, messages(request)));
    }
  }

  private static void writeMessages(
      String field, List<Prompt.Message> messages, JsonGenerator out) throws IOException {
    out.writeArrayFieldStart(field);
    for (Prompt.Message message : messages) {
      out.writeStartObject();
      out.writeStringField("role", message.role());
      out.writeStringField("content", message.content());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static String asText(List<Prompt.Message> history, List<Prompt.Message> latest) {
    StringBuilder text = new StringBuilder();
    for (List<Prompt.Message> part : List.of(history, latest)) {
      for (Prompt.Message message : part) {
        text.append(text.isEmpty() ? "" : "\n").append(message.content());
      }
    }
    return text.toString();
  }

  private Map<String, JsonNode> extraFields(String extraBody) {
    try {
      JsonNode node = MAPPER.readTree(extraBody.isBlank() ? "{}" : extraBody);
      if (!node.isObject()) {
        throw new IllegalArgumentException("extra_body must be a JSON object, was " + extraBody);
      }
      Map<String, JsonNode> fields = new LinkedHashMap<>();
      node.properties().forEach(field -> fields.put(field.getKey(), filled(field.getValue())));
      return fields;
    } catch (IOException e) {
      throw new IllegalArgumentException("extra_body is not JSON: " + extraBody, e);
    }
  }

  /** The same with the secrets in the place of where they are. */
  private JsonNode filled(JsonNode node) {
    String secret = api.secrets().get(
        new SecretPlace(node.path("env").asText(""), node.path("file").asText("")));
    if (node.isObject() && node.size() == 1 && secret != null) {
      return TextNode.valueOf(secret);
    }
    if (node instanceof ObjectNode object) {
      object.properties().forEach(field -> field.setValue(filled(field.getValue())));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, filled(array.get(i)));
      }
    }
    return node;
  }
}
