package org.svcmailbox.client.sqs;

class SqsFifoTest extends SqsContract {
  SqsFifoTest() {
    super(".fifo");
  }
}
