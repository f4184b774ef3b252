package tallystick.simengine;

import java.util.Locale;

/** A request that vLLM's API server refuses, with the status and body it answers. */
final class ApiError extends RuntimeException {
  private final int status;
  private final String body;

  private ApiError(int status, String body) {
    super(body, null, false, false);
    this.status = status;
    this.body = body;
  }

  int status() {
    return status;
  }

  String body() {
    return body;
  }

  /** A value the API cannot take; {@code parameter} may be empty. */
  static ApiError badRequest(String message, String parameter) {
    return of(400, "BadRequestError", message, parameter);
  }

  /** A body that does not fit the request's schema; {@code detail} is pydantic's error. */
  static ApiError invalid(String detail, String parameter) {
    return of(400, "Bad Request", "1 validation error:\n  " + detail, parameter);
  }

  static ApiError unknownModel(String model, String known) {
    String message = String.format(
        Locale.ROOT,
        "The model `%s` does not exist. Valid aliases: %s.",
        model, known);
    return of(404, "NotFoundError", message, "model");
  }

  static ApiError unknownResponse(String id) {
    return of(404, "NotFoundError", "Response with id '" + id + "' not found.", "response_id");
  }

  static ApiError unavailable(String message) {
    return of(503, "Service Unavailable", message, "");
  }

  /** What a fault refuses on demand. */
  static ApiError refused(Fault.Refusal refusal) {
    return refusal.status() == Fault.TOO_MANY
        ? of(refusal.status(), "Too Many Requests", refusal.words(), "")
        : unavailable(refusal.words());
  }

  static ApiError unauthorized() {
    return new ApiError(401, "{\"error\":\"Unauthorized\"}");
  }

  static ApiError notFound() {
    return new ApiError(404, "{\"detail\":\"Not Found\"}");
  }

  static ApiError methodNotAllowed() {
    return new ApiError(405, "{\"detail\":\"Method Not Allowed\"}");
  }

  private static ApiError of(int status, String type, String message, String parameter) {
    String shown = parameter.isEmpty() ? "null" : Json.quoted(parameter);
    return new ApiError(
        status,
        String.format(
            Locale.ROOT,
            "{\"error\":{\"message\":%s,\"type\":%s,\"param\":%s,\"code\":%d}}",
            Json.quoted(message), Json.quoted(type), shown, status));
  }
}
