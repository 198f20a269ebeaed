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
    return settings(handler, new SettingsFiles(directory), SettingsFiles.STREAMS);
  }

  private ConsumerSettings settings(LoopbackHttp handler, SettingsFiles files, String streams) {
    files
        .worker("context = \"sea\"")
        .streams(streams.replace("http://127.0.0.1:8000", handler.uri().toString()));
    return SettingsReader.read(files.worker(), Map.of())
        .streams()
        .consumer("sea__from_vibespro")
        .orElseThrow();
  }

  private HandlerPayload event(String subject) {
    return new HandlerPayload(
        MessageId.next(),
        new EventSubject(subject),
        "paid",
        1,
        clock.now(),
        null,
        null,
        new Payload("{}"));
  }

  /** A topic may hold events from before its filter was narrowed. */
  @Test
  void anEventOutsideTheFilterIsADeadLetterWithoutACall() throws Exception {
    try (LoopbackHttp http =
        new LoopbackHttp(exchange -> LoopbackHttp.answer(exchange, 200, "text/plain", ""))) {
      EventHandler handler = RunningConsumer.handler(settings(http), listener, clock);
      assertEquals(
          new HandlerResult.Poison("the subject is outside filter_subject, vibespro.event.>"),
          handler.handle("paid", event("shop.event.paid.v1")));
      assertEquals(List.of(), calls);
    }
  }

  @Test
  void aHandlerIsToldTheSecretInItsFile() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (LoopbackHttp http =
        new LoopbackHttp(
            exchange -> {
              told.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
              LoopbackHttp.answer(exchange, 200, "text/plain", "");
            })) {
      SettingsFiles files = new SettingsFiles(directory).write("handler.secret", "hidden\n");
      ConsumerSettings settings =
          settings(
              http, files, SettingsFiles.STREAMS + "handler_token_file = \"handler.secret\"\n");
      EventHandler handler = RunningConsumer.handler(settings, listener, clock);
      assertEquals(
          new HandlerResult.Processed(), handler.handle("paid", event("vibespro.event.paid.v1")));
      assertEquals(List.of("Bearer hidden"), told);
    }
  }

  @Test
  void theListenerHearsHowLongAHandlerTakes() throws Exception {
    HandlerPayload event = event("vibespro.event.paid.v1");
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
