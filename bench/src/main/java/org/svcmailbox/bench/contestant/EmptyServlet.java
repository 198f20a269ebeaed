package org.svcmailbox.bench.contestant;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.handlers.PathHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.svcmailbox.bench.http.LoadPayload;

/** A servlet that reads a request and returns a constant answer as long as that of the service. */
public final class EmptyServlet extends HttpServlet {
  static final int LARGEST_BATCH = 100;

  /** As long as the capability of a client. */
  static final String TOKEN = "t".repeat(340);

  private static final long serialVersionUID = 1;
  private static final String ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  private static final String RECEIPT = "r123456789012345678901";
  private static final String ASKED = "\"max_messages\":";

  /** Bytes of an acknowledgement in a batch, with the comma after it. */
  private static final int ACK_BYTES =
      "{'msg_id':'','receipt':''},".length() + ID.length() + RECEIPT.length();

  private static final String ONE_SENT = "{\"msg_id\":\"" + ID + "\",\"duplicate\":false}";
  private static final String ONE_OK = "{\"ok\":true}";
  private static final String MESSAGE =
      "{\"msg_id\":\""
          + ID
          + "\",\"envelope\":\""
          + "e".repeat(500)
          + "\",\"payload\":\""
          + LoadPayload.BASE64
          + "\",\"receipt\":\""
          + RECEIPT
          + "\",\"visibility_ms\":60000}";
  private static final String MAILBOX = "/v1/mailbox/";
  private static final byte[] PAYLOAD = LoadPayload.bytes();
  private static final byte[] SENT = bytes(ONE_SENT);
  private static final byte[] OK = bytes(ONE_OK);
  private static final List<byte[]> ALL_SENT = lists("results", ONE_SENT);
  private static final List<byte[]> ALL_OK = lists("results", ONE_OK);
  private static final List<byte[]> MESSAGES = lists("messages", MESSAGE);

  /** Listens on this port of loopback. */
  public static void main(String[] arguments) throws Exception {
    DeploymentInfo deployment =
        Servlets.deployment()
            .setClassLoader(EmptyServlet.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("empty")
            .addServlet(Servlets.servlet("empty", EmptyServlet.class).addMapping("/*"));
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
    manager.deploy();
    PathHandler path = Handlers.path(manager.start());
    Undertow.builder()
        .addHttpListener(Integer.parseInt(arguments[0]), "127.0.0.1")
        .setHandler(path)
        .build()
        .start();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] body = request.getInputStream().readAllBytes();
    byte[] answer = answer(request.getRequestURI(), body);
    response.setContentType("application/json");
    response.setContentLength(answer.length);
    response.getOutputStream().write(answer);
  }

  static byte[] answer(String path, byte[] body) {
    return switch (path) {
      case "/v1/send" -> SENT;
      case "/v1/send/batch" -> ALL_SENT.get(sent(body));
      case "/v1/recv" -> MESSAGES.get(asked(body));
      case "/v1/ack/batch" -> ALL_OK.get(body.length / ACK_BYTES);
      default -> path.startsWith(MAILBOX) && body.length == 0 ? PAYLOAD : OK;
    };
  }

  /** Bodies with 0 to {@link #LARGEST_BATCH} elements, by their number. */
  private static List<byte[]> lists(String name, String element) {
    return IntStream.rangeClosed(0, LARGEST_BATCH)
        .mapToObj(size -> String.join(",", Collections.nCopies(size, element)))
        .map(elements -> bytes("{\"" + name + "\":[" + elements + "]}"))
        .toList();
  }

  /**
   * The number of messages. The JSON around the payloads would add to a large batch, hence the
   * limit.
   */
  private static int sent(byte[] body) {
    return Math.min(LARGEST_BATCH, body.length / LoadPayload.BASE64.length());
  }

  private static int asked(byte[] body) {
    String json = new String(body, StandardCharsets.ISO_8859_1);
    int from = json.indexOf(ASKED) + ASKED.length();
    return Integer.parseInt(json.substring(from, json.indexOf(',', from)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
