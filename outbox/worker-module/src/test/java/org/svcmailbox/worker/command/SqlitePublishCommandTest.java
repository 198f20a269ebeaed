package org.svcmailbox.worker.command;

class SqlitePublishCommandTest extends PublishCommandContract {}
