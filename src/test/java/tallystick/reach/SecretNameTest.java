package tallystick.reach;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretNameTest {
  @ParameterizedTest
  @ValueSource(strings = {
    "Authorization", "Proxy-Authorization", "cf-aig-authorization", "X-Serverless-Authorization",
    "Cookie", "api-key", "x-api-key", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key",
    "x-functions-key", "X-RapidAPI-Key", "x-portkey-api-key", "x-litellm-api-key", "Apikey",
    "X-ApiKey", "X-Auth-Token", "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-Credential",
    "X-Vault-Token", "PRIVATE-TOKEN", "X-Access-Token", "accessToken", "HFToken", "HF_TOKEN",
    "Helicone-Auth", "X-Client-Secret", "clientSecret", "Modal-Secret", "X-JWT-Assertion",
    "Cf-Access-Jwt-Assertion", "CF-Access-Client-Secret", "sasToken", "sig", "db_password",
    "X-API-Key-2", "oauth2", "xApiKey", "APIKey", "key", "token", "auth", "X-Token-Value",
    "sessiontoken", "Authentication", "X-Session-Key", "userPasswd", "api_keys", "secret_id"
  })
  void namesOfSecretsAreSeen(String name) {
    assertThat(SecretName.is(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "max_tokens", "prompt_tokens", "max_completion_tokens", "keyword", "keywords", "author",
    "X-Author", "tokenizer", "stop_token_ids", "allowed_token_ids", "thinking_token_budget",
    "return_tokens_as_token_ids", "skip_special_tokens", "min_tokens", "maxTokens",
    "prompt_cache_key", "X-Cache-Key", "Idempotency-Key", "eos_token", "stop_token", "monkey",
    "keyboard", "X-Team", "temperature", "chat_template_kwargs", "cache_salt", "top_k", "design",
    "assignee", "X-Request-Id", "traceparent", "key_name", "auth_type", "image_token", "sasquatch"
  })
  void otherNamesAreNoAlarm(String name) {
    assertThat(SecretName.is(name)).isFalse();
  }
}
