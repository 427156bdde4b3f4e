"""Bills of WeChat and Alipay as they are sent by mail: read, previewed, written once."""
