package org.svcmailbox.client.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.concurrent.Deadline;

class RenewableClientTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong();
  private final List<HttpClient> made = new ArrayList<>();
  private final RenewableClient client =
      new RenewableClient(
          () -> {
            made.add(HttpClient.newHttpClient());
            return made.get(made.size() - 1);
          },
          now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void manyRequestsThatHangTogetherReplaceTheClientOnce() {
    HttpClient first = client.current();
    pass(SECOND);

    client.renew(SECOND);
    HttpClient second = client.current();
    client.renew(SECOND);

    assertNotSame(first, second);
    assertSame(second, client.current());
  }

  @Test
  void aRequestThatHangsOnTheNewClientReplacesItToo() {
    pass(SECOND);
    client.renew(SECOND);
    HttpClient second = client.current();
    pass(SECOND.minusMillis(10));

    client.renew(SECOND);

    assertNotSame(second, client.current());
  }

  @Test
  void oldClientsAreBounded() {
    renewOften();

    assertEquals(RenewableClient.MAX_OLD + 1, made.size());
  }

  @Test
  void oldClientsMakeRoomWhenTheyAreCollected() {
    renewOften();
    made.clear();

    Deadline.in(Duration.ofSeconds(10))
        .await(
            () -> {
              System.gc();
              pass(SECOND);
              client.renew(SECOND);
              return !made.isEmpty();
            },
            () -> "room for another client");
  }

  @Test
  void theClientStaysIfThereCanBeNoOther() {
    made.clear();
    RenewableClient lonely =
        new RenewableClient(
            () -> {
              if (!made.isEmpty()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              made.add(HttpClient.newHttpClient());
              return made.get(0);
            },
            now::get);
    pass(SECOND);

    lonely.renew(SECOND);

    assertSame(made.get(0), lonely.current());
  }

  private void renewOften() {
    for (int i = 0; i < 2 * RenewableClient.MAX_OLD; i++) {
      pass(SECOND);
      client.renew(SECOND);
    }
  }
}
