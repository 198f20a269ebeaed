package org.svcmailbox.client.codec;

import org.svcmailbox.client.Codec;

/** Stands for "no encoding"; mailboxes in memory recognize it and never call it. */
enum ReferenceCodec implements Codec<Object> {
  INSTANCE;

  private static final String NO_BYTES = "a body that travels by reference has no bytes";

  @Override
  public byte[] encode(Object body) {
    throw new UnsupportedOperationException(NO_BYTES);
  }

  @Override
  public Object decode(byte[] bytes) {
    throw new UnsupportedOperationException(NO_BYTES);
  }
}
