package org.svcmailbox.client.codec;

import org.svcmailbox.client.Codec;

/** Bytes as they are, copied both ways. */
enum BytesCodec implements Codec<byte[]> {
  INSTANCE;

  @Override
  public byte[] encode(byte[] body) {
    return body.clone();
  }

  @Override
  public byte[] decode(byte[] bytes) {
    return bytes.clone();
  }
}
