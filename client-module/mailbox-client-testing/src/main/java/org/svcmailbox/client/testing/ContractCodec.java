package org.svcmailbox.client.testing;

import org.svcmailbox.client.Codec;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.codec.Codecs;

/** UTF-8 that refuses to encode one text and to decode another. */
enum ContractCodec implements Codec<String> {
  INSTANCE;

  static final String UNENCODABLE = "cannot be encoded";
  static final String UNDECODABLE = "cannot be decoded";

  @Override
  public byte[] encode(String body) {
    return Codecs.utf8().encode(refuse(UNENCODABLE, body));
  }

  @Override
  public String decode(byte[] bytes) {
    return refuse(UNDECODABLE, Codecs.utf8().decode(bytes));
  }

  private static String refuse(String refused, String body) {
    if (body.equals(refused)) {
      throw new SerializationException("a text that " + refused);
    }
    return body;
  }
}
