package org.svcmailbox.worker.command;

class SqliteInboxCommandTest extends InboxCommandContract {}
