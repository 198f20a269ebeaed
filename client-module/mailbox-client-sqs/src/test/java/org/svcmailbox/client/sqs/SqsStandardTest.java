package org.svcmailbox.client.sqs;

class SqsStandardTest extends SqsContract {
  SqsStandardTest() {
    super("");
  }
}
