package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;

/** Over HTTP, in JSON lines; settlements are calls of their own. */
record NdjsonDoorStream(MessageStream stream, RecordedClient client) implements DoorStream {
  static DoorStream open(
      CallTarget target,
      RecordedClient client,
      String topic,
      Duration visibility,
      int window,
      Map<String, Object> resume)
      throws IOException {
    Fields request =
        Fields.of("topic", topic)
            .with("visibility_ms", visibility.toMillis())
            .with("window", window);
    MessageStream stream =
        MessageStream.open(target, resume.isEmpty() ? request : request.with("resume", resume));
    JsonNode first = stream.status() == 200 ? stream.next() : null;
    if (first == null) {
      stream.close();
      throw new IOException("no stream: " + stream.status());
    }
    return new NdjsonDoorStream(stream, client);
  }

  @Override
  public Optional<Message> next() throws IOException {
    JsonNode line = stream.next();
    if (line == null || line.path("type").asText().equals("end")) {
      throw new IOException("the stream ended: " + line);
    }
    return line.path("type").asText().equals("message")
        ? Optional.of(new Message(line.path("message")))
        : Optional.empty();
  }

  @Override
  public Map<String, Object> resume() {
    return stream.resume();
  }

  @Override
  public void ack(List<Message> messages) {
    client.ackBatch(messages);
  }

  @Override
  public void nack(Message message, Fields how) {
    client.nack(message, how);
  }

  @Override
  public void extend(Message message, Duration visibility) {
    client.extend(message, visibility);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
