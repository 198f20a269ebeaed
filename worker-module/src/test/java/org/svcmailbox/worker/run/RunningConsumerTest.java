package org.svcmailbox.worker.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.test.net.LoopbackHttp;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.SettingsFiles;
import org.svcmailbox.worker.config.SettingsReader;

class RunningConsumerTest {
  @TempDir private Path directory;

  private final VirtualClock clock = new VirtualClock();
  private final List<Duration> calls = new CopyOnWriteArrayList<>();
  private final InboxListener listener =
      new InboxListener() {
        @Override
        public void handled(Handled result, Duration time) {}

        @Override
        public void called(Duration time) {
          calls.add(time);
        }
      };

  private ConsumerSettings settings(LoopbackHttp handler) {
    SettingsFiles files =
        new SettingsFiles(directory)
            .worker("context = \"sea\"")
            .streams(
                SettingsFiles.STREAMS.replace("http://127.0.0.1:8000", handler.uri().toString()));
    return SettingsReader.read(files.worker(), Map.of())
        .streams()
        .consumer("sea__from_vibespro")
        .orElseThrow();
  }

  @Test
  void theListenerHearsHowLongAHandlerTakes() throws Exception {
    EventSubject subject = new EventSubject("vibespro.event.paid.v1");
    HandlerPayload event =
        new HandlerPayload(
            MessageId.next(), subject, "paid", 1, clock.now(), null, null, new Payload("{}"));
    try (LoopbackHttp http =
        new LoopbackHttp(
            exchange -> {
              clock.advance(Duration.ofSeconds(3));
              LoopbackHttp.answer(exchange, 200, "text/plain", "");
            })) {
      EventHandler handler = RunningConsumer.handler(settings(http), listener, clock);
      assertEquals(new HandlerResult.Processed(), handler.handle("paid", event));
      assertEquals(List.of(Duration.ofSeconds(3)), calls);
    }
  }
}
