/** The rules of house style for prose, checked over all documents and Java comments. */
package org.svcmailbox.core.prose;
