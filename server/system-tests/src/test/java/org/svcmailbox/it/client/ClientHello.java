package org.svcmailbox.it.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.HexFormat;

/**
 * The first message of a TLS client of 1.2 or before, byte by byte: today's libraries do not offer
 * the old versions at all.
 *
 * @param minor 1 for TLS 1.0, 2 for 1.1, 3 for 1.2
 */
public record ClientHello(int minor) {
  /**
   * The server's answer to it.
   *
   * @param type of the record, {@link #HANDSHAKE} or {@link #ALERT}
   * @param detail the kind of handshake message, or how severe the alert is
   * @param alert which alert it is
   */
  public record Reply(int type, int detail, int alert) {}

  public static final int ALERT = 21;
  public static final int HANDSHAKE = 22;

  /** The kind of handshake message that goes on with the handshake. */
  public static final int SERVER_HELLO = 2;

  public static final int FATAL = 2;
  public static final int PROTOCOL_VERSION = 70;

  private static final int PATIENCE_MILLIS = 10_000;
  private static final int RANDOM_BYTES = 32;

  /** One that every server with an elliptic key can serve: for 1.2, and for what was before. */
  private static final String CIPHER_SUITES = "c02b" + "c009" + "c00a";

  /** The curve P-256; uncompressed points; SHA-256 with ECDSA. */
  private static final String EXTENSIONS =
      "000a0004" + "00020017" + "000b0002" + "0100" + "000d0004" + "00020403";

  /** Sends it on a connection of its own, and reads the beginning of the answer. */
  public Reply sendTo(URI server) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(bytes());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      int type = in.readUnsignedByte();
      // Version and length of the record.
      in.readInt();
      return new Reply(type, in.readUnsignedByte(), in.readUnsignedByte());
    }
  }

  private byte[] bytes() {
    ByteArrayOutputStream hello = new ByteArrayOutputStream();
    hello.write(3);
    hello.write(minor);
    hello.writeBytes(new byte[RANDOM_BYTES]);
    hello.write(0);
    withLength(hello, 2, HexFormat.of().parseHex(CIPHER_SUITES));
    withLength(hello, 1, new byte[1]);
    withLength(hello, 2, HexFormat.of().parseHex(EXTENSIONS));
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(1);
    withLength(message, 3, hello.toByteArray());
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    written.write(HANDSHAKE);
    written.write(3);
    written.write(1);
    withLength(written, 2, message.toByteArray());
    return written.toByteArray();
  }

  private static void withLength(ByteArrayOutputStream out, int lengthBytes, byte[] content) {
    for (int i = lengthBytes - 1; i >= 0; i--) {
      out.write(content.length >>> (Byte.SIZE * i));
    }
    out.writeBytes(content);
  }
}
