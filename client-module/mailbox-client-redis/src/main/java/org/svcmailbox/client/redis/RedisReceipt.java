package org.svcmailbox.client.redis;

/** The proof of one delivery: the message, and a nonce that only this delivery has. */
record RedisReceipt(String nonce, Entry entry) {
  static RedisReceipt parse(String handle) {
    int end = handle.indexOf('/');
    return new RedisReceipt(handle.substring(0, end), new Entry(handle.substring(end + 1)));
  }

  String handle() {
    return nonce + "/" + entry.name();
  }
}
