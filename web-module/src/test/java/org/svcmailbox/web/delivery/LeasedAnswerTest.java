package org.svcmailbox.web.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.envelope.Payload;

class LeasedAnswerTest {
  private static final class Pending implements PendingRecv {
    private int abandoned;

    @Override
    public CompletionStage<RecvOutcome> outcome() {
      return new CompletableFuture<>();
    }

    @Override
    public void abandon() {
      abandoned++;
    }
  }

  private final Pending pending = new Pending();
  private final byte[] json = "{\"messages\":[]}".getBytes(UTF_8);

  private static Peer peer() {
    return Peer.of(
        (HttpServletRequest)
            Proxy.newProxyInstance(
                LeasedAnswerTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> null));
  }

  @Test
  void anAnswerThatIsWrittenIsOverwritten() {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    LeasedAnswer.of(json, pending, peer()).writeTo(output);
    assertEquals("{\"messages\":[]}", output.toString(UTF_8));
    assertArrayEquals(new byte[json.length], json);
    assertEquals(0, pending.abandoned);
  }

  @Test
  void aPayloadIsItsLeasesAndStays() {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Payload payload = Payload.owning(new byte[] {1, 2});
    LeasedAnswer.of(payload, pending, peer()).writeTo(output);
    assertArrayEquals(new byte[] {1, 2}, output.toByteArray());
    assertArrayEquals(new byte[] {1, 2}, payload.bytes());
  }

  @Test
  void anAnswerThatCannotBeWrittenIsGivenBackAndOverwritten() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("gone");
          }
        };
    LeasedAnswer.of(json, pending, peer()).writeTo(broken);
    assertEquals(1, pending.abandoned);
    assertArrayEquals(new byte[json.length], json);
  }
}
