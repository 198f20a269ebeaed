package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.TestCertificate;
import org.svcmailbox.undertow.intake.Http2Wire.Frame;

/** A stranger's HTTP/2 frames cost little, and end no other stream without need. */
class Http2GuardTest {
  private static final int WINDOW = 65_535;
  private static final int MOST_HEAD = 64 << 10;
  private static final int CALM = 11;

  @TempDir private static Path directory;
  private static TestCertificate certificate;

  @BeforeAll
  static void makeCertificate() {
    certificate = TestCertificate.in(directory.resolve("certificate"), "password");
  }

  private static IntakeServer server() throws Exception {
    return IntakeServer.with().tls(certificate).start().guarded();
  }

  private static RawConnection connect(IntakeServer server, String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            certificate
                .trusting()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.address().getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    assertEquals(protocol, socket.getApplicationProtocol());
    return RawConnection.over(socket);
  }

  private static Http2Wire http2(IntakeServer server) throws IOException {
    return new Http2Wire(connect(server, "h2"), WINDOW);
  }

  private static String seen(String body) {
    return DoorServlet.seen(body.getBytes(ISO_8859_1));
  }

  private static void assertRefused(int status, Http2Wire client, int stream) throws IOException {
    assertFalse(client.receive(stream).isOk());
    Frame body = client.receive(stream);
    assertTrue(body.payload().contains("\"status\":" + status + ","), body::toString);
  }

  private static int goAway(Http2Wire client) throws IOException {
    Frame frame = client.receive(0);
    return frame.payload().charAt(7);
  }

  /** A block whose fields come to so many bytes, as HTTP/2 counts them. */
  private static byte[] block(int size) {
    ByteArrayOutputStream block = Http2Wire.block(false, "/");
    int left = size - ":method:GET:scheme:http:path/:authority:localhost".length() - 4 * 32 + 3;
    for (int i = 0; left > 0; i++) {
      String name = "x-" + i;
      int value = Math.min(left, 4000) - name.length() - 32;
      if (left - 4000 < 100 && left > 4000) {
        value -= 200;
      }
      Http2Wire.field(block, name, "v".repeat(value));
      left -= value + name.length() + 32;
    }
    return block.toByteArray();
  }

  @Test
  void headsOfManyFramesAreServed() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      for (int frame : List.of(1000, 16_000, Http2Wire.MOST_OF_FRAME, MOST_HEAD)) {
        int stream = client.request(true, frame, block(MOST_HEAD));
        assertEquals(seen(""), client.answer(stream), "frames of " + frame);
      }
    }
  }

  @Test
  void tooLargeHeadIsRefusedAndOtherStreamsLive() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      long before = server.count("rejected.head");
      int slow = client.request(true, "/", false);
      for (int size : List.of(MOST_HEAD + 1, 100_000, 300_000, 1_000_000)) {
        for (boolean isWhole : List.of(true, false)) {
          assertRefused(431, client, client.request(isWhole, Http2Wire.MOST_OF_FRAME, block(size)));
        }
      }
      client.data(slow, "abc", true);
      assertEquals(seen("abc"), client.answer(slow));
      // Other tests count in the same place.
      assertTrue(server.count("rejected.head") >= before + 8);
      assertEquals(1, server.door().served());
    }
  }

  @Test
  void headWithTooManyOrCollidingNamesIsRefused() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      ByteArrayOutputStream many = Http2Wire.block(false, "/");
      for (int i = 0; i < 201; i++) {
        Http2Wire.field(many, "x-" + i, "");
      }
      assertRefused(431, client, client.request(true, 16_000, many.toByteArray()));
      ByteArrayOutputStream colliding = Http2Wire.block(false, "/");
      for (String name : colliding(20)) {
        Http2Wire.field(colliding, name, "");
      }
      assertRefused(431, client, client.request(true, 16_000, colliding.toByteArray()));
      ByteArrayOutputStream repeated = Http2Wire.block(false, "/");
      for (int i = 0; i < 200; i++) {
        Http2Wire.field(repeated, "x", "");
      }
      assertRefused(431, client, client.request(true, 16_000, repeated.toByteArray()));
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
    }
  }

  @Test
  void targetThatUndertowWouldRefuseWithoutAWordIsRefused() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      String many = "/?" + String.join("&", Collections.nCopies(1001, "a=1"));
      for (String target : List.of(many, "/%zz", "/?a=%", "/a|b")) {
        assertRefused(
            400,
            client,
            client.request(true, 16_000, Http2Wire.block(false, target).toByteArray()));
      }
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
    }
  }

  /** Names of one hash code in Undertow, which multiplies by 17 for each character. */
  static List<String> colliding(int count) {
    List<String> names = new ArrayList<>(List.of(""));
    while (names.size() < count) {
      List<String> longer = new ArrayList<>();
      for (String name : names) {
        longer.add(name + "az");
        longer.add(name + "bi");
      }
      names = longer;
    }
    return names;
  }

  @Test
  void malformedHeadIsRefusedAndOtherStreamsLive() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      for (List<String> field :
          List.of(
              List.of("Upper", "a"),
              List.of("a b", "a"),
              List.of("a", "b\nc"),
              List.of("a", "b\0c"),
              List.of("transfer-encoding", "chunked"),
              List.of("connection", "close"),
              List.of(":path", "/twice"),
              List.of(":status", "200"))) {
        ByteArrayOutputStream block = Http2Wire.block(false, "/");
        Http2Wire.field(block, field.get(0), field.get(1));
        assertRefused(400, client, client.request(true, 16_000, block.toByteArray()));
      }
      for (String name : List.of("authorization", "content-length", "host")) {
        ByteArrayOutputStream block = Http2Wire.block(false, "/");
        Http2Wire.field(block, name, "0");
        Http2Wire.field(block, name, "0");
        assertRefused(400, client, client.request(true, 16_000, block.toByteArray()));
      }
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
      assertTrue(server.count("rejected.framing") >= 11);
    }
  }

  @Test
  void tableOfTheClientIsFollowedThroughRefusedHeads() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      ByteArrayOutputStream large = new ByteArrayOutputStream();
      large.writeBytes(block(MOST_HEAD + 1));
      large.write(0x40); // A literal that enters the table, behind all that is too much.
      Http2Wire.text(large, "x-kept");
      Http2Wire.text(large, "kept");
      assertRefused(431, client, client.request(true, 16_000, large.toByteArray()));
      ByteArrayOutputStream next = Http2Wire.block(false, "/");
      next.write(0x80 | 62);
      assertEquals(seen(""), client.answer(client.request(true, 16_000, next.toByteArray())));
      // Nothing is in the next place.
      ByteArrayOutputStream wrong = Http2Wire.block(false, "/");
      wrong.write(0x80 | 63);
      client.request(true, 16_000, wrong.toByteArray());
      assertEquals(9, goAway(client));
    }
  }

  @Test
  void resetsAreBounded() throws Exception {
    for (boolean isWhole : List.of(true, false)) {
      try (IntakeServer server = server();
          Http2Wire client = http2(server)) {
        for (int i = 0; i < 201; i++) {
          client.resetStream(client.request(true, "/", isWhole));
        }
        assertEquals(CALM, goAway(client));
        server.await("connections", 0);
        assertTrue(server.door().served() <= 201);
      }
    }
  }

  @Test
  void framesThatCarryNothingAreBounded() throws Exception {
    for (int type : List.of(Http2Wire.DATA, 2, Http2Wire.SETTINGS, Http2Wire.PING, 0xaa)) {
      try (IntakeServer server = server();
          Http2Wire client = http2(server)) {
        int stream = client.request(true, "/", false);
        byte[] payload = new byte[type == 2 ? 5 : type == Http2Wire.PING ? 8 : 0];
        boolean isOfStream = type == Http2Wire.DATA || type == 2;
        for (int i = 0; i < 1001; i++) {
          client.send(type, 0, isOfStream ? stream : 0, payload);
        }
        assertEquals(CALM, goAway(client), "type " + type);
      }
    }
  }

  @Test
  void streamsOfOneConnectionAreBounded() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      for (int i = 0; i < 160; i++) {
        client.request(true, "/", false);
      }
      assertEquals(0, server.count("rejected.max_streams"));
      assertRefused(503, client, client.request(false, "/", true));
      assertEquals(1, server.count("rejected.max_streams"));
    }
  }

  @Test
  void unfinishedBodiesTakePlacesOfConnections() throws Exception {
    try (IntakeServer server = IntakeServer.with().tls(certificate).maxConns(3).start().guarded();
        Http2Wire client = http2(server)) {
      int first = client.request(true, "/", false);
      int second = client.request(true, "/", false);
      int third = client.request(true, "/", false);
      server.await("connections", 3);
      assertRefused(503, client, client.request(true, "/", false));
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
      client.data(second, "a", true);
      assertEquals(seen("a"), client.answer(second));
      server.await("connections", 2);
      client.resetStream(first);
      server.await("connections", 1);
      client.data(third, "a", true);
      assertEquals(seen("a"), client.answer(third));
      assertEquals(1, server.count("connections"));
      client.hangUp();
      server.await("connections", 0);
    }
  }

  @Test
  void prefaceIsNoWayAroundTheGuard() throws Exception {
    try (IntakeServer server = server();
        RawConnection client = connect(server, "http/1.1")) {
      client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
      assertEquals(400, client.receive().status());
      assertTrue(client.isEnded());
    }
  }

  @Test
  void framesInAWrongOrderEndTheConnection() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      client.send(Http2Wire.HEADERS, 1, 1, new byte[] {(byte) 0x82});
      client.send(Http2Wire.PING, 0, 0, new byte[8]);
      assertEquals(1, goAway(client));
    }
    try (IntakeServer server = server();
        Http2Wire client = http2(server)) {
      client.send(Http2Wire.CONTINUATION, 4, 1, new byte[] {(byte) 0x82});
      assertEquals(1, goAway(client));
      assertThrows(EOFException.class, () -> client.receive(1));
    }
  }
}
