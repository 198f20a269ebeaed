package org.svcmailbox.it.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.Payload;

/**
 * The answer to one call.
 *
 * @param json the body; missing when it was empty or not JSON
 * @param text the body as UTF-8
 * @param body the body as it came
 */
public record MailboxAnswer(
    int status, HttpHeaders headers, JsonNode json, String text, Payload body) {
  /** This answer when it has the given status; fails otherwise. */
  public MailboxAnswer expect(int expected) {
    if (status != expected) {
      throw new AssertionError("status " + status + " instead of " + expected + ": " + text);
    }
    return this;
  }

  /** The id a SEND was answered with. */
  public String msgId() {
    return json.path("msg_id").asText();
  }

  /** Whether a SEND was a duplicate. */
  public boolean duplicate() {
    return json.path("duplicate").asBoolean();
  }

  /** The messages a RECV was answered with. */
  public List<Message> messages() {
    List<Message> messages = new ArrayList<>();
    json.path("messages").forEach(one -> messages.add(new Message(one)));
    return messages;
  }

  /** The only message a RECV was answered with; fails when there is none, or are more. */
  public Message message() {
    List<Message> messages = messages();
    if (messages.size() != 1) {
      throw new AssertionError("not one message: " + text);
    }
    return messages.get(0);
  }

  /** The results of a batch. */
  public List<JsonNode> results() {
    List<JsonNode> results = new ArrayList<>();
    json.path("results").forEach(results::add);
    return results;
  }

  /** The code of a problem; empty when this is none. */
  public String code() {
    return json.path("code").asText();
  }

  /** Why a problem came about; empty when it does not say. */
  public String reason() {
    return json.path("reason").asText();
  }

  /** The fields a problem names. */
  public List<String> fields() {
    return json.path("errors").findValuesAsText("field");
  }

  /** A header's value. */
  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }
}
