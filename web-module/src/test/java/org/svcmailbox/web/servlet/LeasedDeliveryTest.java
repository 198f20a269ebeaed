package org.svcmailbox.web.servlet;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;

/** An answer with leased messages ends once, and writes nothing after that. */
class LeasedDeliveryTest {
  /** Of one write. */
  private static final int PART = 64 << 10;

  private final byte[] bytes = new byte[2 * PART];
  private final LeasedBytes leased = new LeasedBytes();
  private final List<String> calls = new ArrayList<>();
  private final SteppedOutput output = new SteppedOutput();
  private @Nullable CompletableFuture<Boolean> report;
  private final LeasedDelivery delivery = delivery();

  /** Ready for as many calls as a test allows. */
  private static final class SteppedOutput extends ServletOutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Runnable during = () -> {};
    private WriteListener listener = new AnswerWriter(this, List.of(), isWritten -> {});
    private boolean isBroken;
    private int ready;

    void step(int steps) throws IOException {
      ready = steps;
      listener.onWritePossible();
    }

    @Override
    public boolean isReady() {
      return ready-- > 0;
    }

    @Override
    public void setWriteListener(WriteListener first) {
      listener = first;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      if (isBroken) {
        throw new IOException("gone");
      }
      during.run();
      taken.write(from, offset, length);
    }
  }

  private LeasedDelivery delivery() {
    Arrays.fill(bytes, (byte) 1);
    Answer answer = Answer.of("application/json", new Erased());
    return new LeasedDelivery(
        answer,
        leased,
        new LeasedDelivery.Call() {
          @Override
          public void giveBack() {
            calls.add("given back");
          }

          @Override
          public void complete() {
            calls.add("complete");
          }
        });
  }

  private final class Erased implements Content {
    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public void writeTo(OutputStream to, int from, int count) throws IOException {
      to.write(bytes, from, count);
    }

    @Override
    public void release() {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  @SuppressWarnings("unchecked")
  private void begin() {
    delivery.write(
        fake(
            HttpServletRequest.class,
            (proxy, method, arguments) -> {
              report = (CompletableFuture<Boolean>) arguments[1];
              return null;
            }),
        fake(
            HttpServletResponse.class,
            (proxy, method, arguments) ->
                method.getName().equals("getOutputStream") ? output : null));
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    ClassLoader loader = LeasedDeliveryTest.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  private double held() {
    return leased.metrics().get(0).now();
  }

  private void assertTaken(int count) {
    byte[] wanted = new byte[count];
    Arrays.fill(wanted, (byte) 1);
    assertArrayEquals(wanted, output.taken.toByteArray());
  }

  @Test
  void anAnswerIsWrittenInPartsAndErased() throws IOException {
    begin();
    output.step(2);
    assertTaken(PART);
    assertEquals(2 * PART, held());
    output.step(4);
    assertTaken(2 * PART);
    assertEquals(List.of("complete"), calls);
    assertEquals(0, held());
    assertArrayEquals(new byte[2 * PART], bytes);
  }

  @Test
  void nothingIsWrittenAfterTheEnd() throws IOException {
    begin();
    output.step(2);
    delivery.ended();
    assertEquals(0, held());
    output.step(4);
    assertTaken(PART);
    assertEquals(List.of("given back"), calls);
  }

  @Test
  void anEndDuringAWriteErasesNothingThatIsWritten() throws IOException {
    begin();
    output.during = delivery::ended;
    output.step(2);
    assertTaken(PART);
    assertArrayEquals(new byte[2 * PART], bytes);
    assertEquals(0, held());
    output.step(4);
    assertTaken(PART);
    assertEquals(List.of("given back"), calls);
  }

  @Test
  void aWriteThatFailsGivesBackOnce() throws IOException {
    begin();
    output.isBroken = true;
    output.step(2);
    assertEquals(List.of("given back", "complete"), calls);
    requireNonNull(report).complete(false);
    output.listener.onError(new IOException("gone"));
    delivery.ended();
    assertEquals(List.of("given back", "complete"), calls);
    assertEquals(0, held());
  }

  @Test
  void aReportThatTheAnswerWasCutGivesBackOnce() throws IOException {
    begin();
    output.step(6);
    assertEquals(List.of("complete"), calls);
    requireNonNull(report).complete(false);
    delivery.ended();
    assertEquals(List.of("complete", "given back"), calls);
  }
}
