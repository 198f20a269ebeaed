package org.svcmailbox.web.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.web.servlet.Peer;

class LeasedAnswerTest {
  private final byte[] json = "{\"messages\":[]}".getBytes(UTF_8);
  private final CompletableFuture<?>[] gone = new CompletableFuture<?>[1];

  private Peer peer() {
    return Peer.of(
        (HttpServletRequest)
            Proxy.newProxyInstance(
                LeasedAnswerTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> {
                  gone[0] = (CompletableFuture<?>) arguments[1];
                  return null;
                }));
  }

  @Test
  void anAnswerIsOverwrittenInTheEnd() throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    LeasedAnswer answer = LeasedAnswer.of(ByteBuffer.wrap(json), peer());
    answer.writeTo(output);
    assertEquals("{\"messages\":[]}", output.toString(UTF_8));
    answer.release();
    assertArrayEquals(new byte[json.length], json);
  }

  @Test
  void theRestOfALongerArrayIsNotWrittenButOverwritten() throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    LeasedAnswer answer = LeasedAnswer.of(ByteBuffer.wrap(json, 0, json.length - 3), peer());
    answer.writeTo(output);
    assertEquals(json.length - 3, answer.length());
    assertEquals("{\"messages\":", output.toString(UTF_8));
    answer.release();
    assertArrayEquals(new byte[json.length], json);
  }

  @Test
  void aPayloadIsItsLeasesAndStays() throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Payload payload = Payload.owning(new byte[] {1, 2});
    LeasedAnswer answer = LeasedAnswer.of(payload, peer());
    answer.writeTo(output);
    answer.release();
    assertArrayEquals(new byte[] {1, 2}, output.toByteArray());
    assertArrayEquals(new byte[] {1, 2}, payload.bytes());
  }

  @Test
  void nothingIsWrittenForAClientThatIsGone() {
    LeasedAnswer answer = LeasedAnswer.of(ByteBuffer.wrap(json), peer());
    gone[0].complete(null);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    assertThrows(IOException.class, () -> answer.writeTo(output));
    assertEquals(0, output.size());
  }
}
